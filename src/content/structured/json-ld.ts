import { isRecord, parseJson } from './json.ts';
import { readLiteral } from './literal.ts';
import { addValue, isThing, MAX_THINGS, type Thing, type Value, withoutVocabulary } from './thing.ts';

/** schema.org data is flat. Anything deeper is not meant for a reader. */
const MAX_DEPTH = 32;

/**
 * The things at the top of JSON-LD scripts (JSON-LD 1.1 as schema.org pages use it): arrays and `@graph` are opened,
 * nodes that are only an `@id` become the node they point to. A script that is not JSON is repaired where that is
 * safe (raw control characters, trailing commas, comments, several values in a row), else left out.
 */
export function readJsonLd(scripts: readonly string[]): Thing[] {
  const reader = new NodeReader();
  const top = scripts.flatMap(parseScript).flatMap((value) => reader.values(value, 0));
  reader.link();
  return top.filter(isThing);
}

function parseScript(source: string): unknown[] {
  const value = parseJson(source);
  return value === undefined ? parseLeniently(unwrapped(source)) : [value];
}

/** Without the comment or CDATA section that older pages put around a script. */
function unwrapped(source: string): string {
  let text = source.trim();
  for (const [opening, closing] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
  ] as const) {
    if (text.startsWith(opening)) text = text.slice(opening.length).trim();
    if (text.endsWith(closing)) text = text.slice(0, -closing.length).trim();
  }
  return text;
}

function parseLeniently(text: string): unknown[] {
  const values: unknown[] = [];
  const separator = /[\s,;]*/y;
  for (let position = 0; position < text.length; position = separator.lastIndex) {
    const { value, end } = readLiteral(text, position, 'data');
    if (value === undefined) break;
    values.push(value);
    separator.lastIndex = end;
    separator.test(text);
  }
  return values;
}

class NodeReader {
  readonly #things: Thing[] = [];

  values(value: unknown, depth: number): Value[] {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [value];
    if (depth > MAX_DEPTH || this.#things.length >= MAX_THINGS) return [];
    if (Array.isArray(value)) return value.flatMap((each) => this.values(each, depth + 1));
    if (!isRecord(value)) return [];
    const wrapped = value['@value'] ?? value['@list'] ?? value['@set'];
    if (wrapped !== undefined) return this.values(wrapped, depth + 1);
    return [this.#thing(value, depth), ...this.values(value['@graph'], depth + 1)];
  }

  #thing(node: Record<string, unknown>, depth: number): Thing {
    const thing: Thing = { types: typesOf(node['@type']), properties: new Map() };
    if (typeof node['@id'] === 'string') thing.id = node['@id'];
    this.#things.push(thing);
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('@')) continue;
      for (const each of this.values(value, depth + 1)) addValue(thing, withoutVocabulary(key), each);
    }
    return thing;
  }

  /** Replaces each node that only has an `@id` with the node it refers to. */
  link(): void {
    const described = new Map<string, Thing>();
    for (const thing of this.#things) {
      if (thing.id !== undefined && thing.properties.size > 0 && !described.has(thing.id))
        described.set(thing.id, thing);
    }
    for (const thing of this.#things) {
      for (const [name, values] of thing.properties) {
        thing.properties.set(
          name,
          values.map((value) => (isThing(value) ? resolved(value, described) : value)),
        );
      }
    }
  }
}

function resolved(thing: Thing, described: ReadonlyMap<string, Thing>): Thing {
  if (thing.id === undefined || thing.properties.size > 0) return thing;
  return described.get(thing.id) ?? thing;
}

function typesOf(type: unknown): string[] {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.filter((each) => typeof each === 'string').map((each) => withoutVocabulary(each.trim()).toLowerCase());
}
