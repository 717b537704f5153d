import { decodeHTMLAttribute } from 'entities/decode';
import { endsAttributeName, isInAnyCase } from './characters.ts';
import { hashOfName } from './name-table.ts';

/** The attributes that are read as properties. */
const NAMES = [
  'align',
  'alt',
  'alttext',
  'aria-controls',
  'aria-expanded',
  'aria-hidden',
  'aria-label',
  'checked',
  'class',
  'close',
  'colspan',
  'content',
  'data-footnote-ref',
  'data-lang',
  'data-language',
  'datetime',
  'display',
  'encoding',
  'height',
  'hidden',
  'href',
  'http-equiv',
  'id',
  'itemprop',
  'itemref',
  'itemscope',
  'itemtype',
  'lang',
  'media',
  'mode',
  'name',
  'open',
  'popover',
  'poster',
  'property',
  'rel',
  'reversed',
  'role',
  'rowspan',
  'separators',
  'shadowrootmode',
  'sizes',
  'src',
  'srcset',
  'start',
  'style',
  'title',
  'type',
  'value',
  'width',
  'xlink:href',
  'xml:lang',
] as const;

type NamedAttributes = { readonly [name in (typeof NAMES)[number]]?: string };

/** The initial capacity: real pages have one attribute per 120 characters. */
const CHARACTERS_PER_ATTRIBUTE = 80;

/**
 * The numbers stored per attribute: the hash of its name, the start of the name, and the start and end of its value.
 */
const FIELDS = 4;

/**
 * The attributes of all elements of a page, as positions in its source. Eight of ten attributes are never read, so
 * names are compared and values created on access. Doing it eagerly took a third of the parser's time.
 */
export class AttributeTable {
  readonly #source: string;
  #fields: Int32Array;
  /** Values that were read. */
  readonly #values: (string | undefined)[] = [];

  constructor(source: string) {
    this.#source = source;
    this.#fields = new Int32Array(FIELDS * Math.ceil((source.length + 1) / CHARACTERS_PER_ATTRIBUTE));
  }

  get size(): number {
    return this.#values.length;
  }

  add(hash: number, name: number, valueStart: number, valueEnd: number): void {
    const at = this.#values.push(undefined) * FIELDS - FIELDS;
    if (at === this.#fields.length) this.#grow();
    const fields = this.#fields;
    fields[at] = hash;
    fields[at + 1] = name;
    fields[at + 2] = valueStart;
    fields[at + 3] = valueEnd;
  }

  /** The first of these attributes with that name, or -1. */
  find(from: number, to: number, name: string, hash: number): number {
    const fields = this.#fields;
    for (let at = from * FIELDS; at < to * FIELDS; at += FIELDS) {
      if (fields[at] === hash && this.#hasName(at / FIELDS, name)) return at / FIELDS;
    }
    return -1;
  }

  /** Character references are decoded. */
  value(index: number): string {
    const known = this.#values[index];
    if (known !== undefined) return known;
    const written = this.#source.slice(this.#fields[index * FIELDS + 2], this.#fields[index * FIELDS + 3]);
    const value = written.includes('&') ? decodeHTMLAttribute(written) : written;
    this.#values[index] = value;
    return value;
  }

  /** In lower case. */
  name(index: number): string {
    const start = this.#fields[index * FIELDS + 1] ?? 0;
    let end = start + 1;
    while (!endsAttributeName(this.#source.charCodeAt(end))) end++;
    return this.#source.slice(start, end).toLowerCase();
  }

  #grow(): void {
    const fields = new Int32Array(this.#fields.length * 2);
    fields.set(this.#fields);
    this.#fields = fields;
  }

  #hasName(index: number, name: string): boolean {
    const source = this.#source;
    const start = this.#fields[index * FIELDS + 1] ?? 0;
    for (let at = 0; at < name.length; at++) {
      if (!isInAnyCase(source.charCodeAt(start + at), name.charCodeAt(at))) return false;
    }
    return endsAttributeName(source.charCodeAt(start + name.length));
  }
}

const Named: new () => NamedAttributes = class {};

/** The attributes of an element. When a name is repeated, the first one wins. */
export class Attributes extends Named {
  readonly #table: AttributeTable;
  /** Indices in the table. */
  readonly #from: number;
  readonly #to: number;

  constructor(table: AttributeTable, from: number, to: number) {
    super();
    this.#table = table;
    this.#from = from;
    this.#to = to;
  }

  /** @param name in lower case */
  get(name: string, hash = hashOf(name)): string | undefined {
    const index = this.#table.find(this.#from, this.#to, name, hash);
    return index < 0 ? undefined : this.#table.value(index);
  }

  /** @param name in lower case */
  has(name: string): boolean {
    return this.#table.find(this.#from, this.#to, name, hashOf(name)) >= 0;
  }

  /** Names in lower case with their values, in the order of the source. */
  entries(): Map<string, string> {
    const entries = new Map<string, string>();
    for (let index = this.#from; index < this.#to; index++) {
      const name = this.#table.name(index);
      if (!entries.has(name)) entries.set(name, this.#table.value(index));
    }
    return entries;
  }
}

for (const name of NAMES) {
  const hash = hashOf(name);
  Object.defineProperty(Attributes.prototype, name, {
    get(this: Attributes) {
      return this.get(name, hash);
    },
  });
}

/** The attributes of an element without any. */
export const NO_ATTRIBUTES = new Attributes(new AttributeTable(''), 0, 0);

/** The hash of a name, ignoring case. */
export function hashOf(name: string): number {
  return hashOfName(name, 0, name.length);
}
