/** The common shape of schema.org data from JSON-LD, microdata and RDFa. */
export interface Thing {
  /** Lower case, without the vocabulary: `http://schema.org/Product` and `schema:Product` are `product`. */
  types: string[];
  id?: string;
  /** Names without the vocabulary, in the order of the page. */
  properties: Map<string, Value[]>;
}

export type Value = string | number | boolean | Thing;

/** No real page has more. The largest shops list about 3,000. */
export const MAX_THINGS = 20_000;

export function isThing(value: Value): value is Thing {
  return typeof value === 'object';
}

export function hasType(thing: Thing, types: ReadonlySet<string>): boolean {
  return thing.types.some((type) => types.has(type));
}

export function valuesOf(thing: Thing, name: string): readonly Value[] {
  return thing.properties.get(name) ?? [];
}

export function thingsOf(thing: Thing, name: string): Thing[] {
  return valuesOf(thing, name).filter(isThing);
}

/**
 * The text of a property: a plain value, or the name of the nested thing (`brand`, `color`). The first that is not
 * empty.
 */
export function textOfProperty(thing: Thing, ...names: string[]): string | undefined {
  for (const name of names) {
    for (const value of valuesOf(thing, name)) {
      const text = isThing(value) ? nameOf(value) : String(value).trim();
      if (text) return text;
    }
  }
  return undefined;
}

function nameOf(thing: Thing): string | undefined {
  return ['name', 'value', '@value']
    .flatMap((name) => valuesOf(thing, name))
    .find((value) => typeof value === 'string')
    ?.trim();
}

export function addValue(thing: Thing, name: string, value: Value): void {
  const values = thing.properties.get(name);
  if (values) values.push(value);
  else thing.properties.set(name, [value]);
}

/** `http://schema.org/Offer`, `schema:Offer` and `Offer` are one. */
export function withoutVocabulary(name: string): string {
  return name.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '');
}
