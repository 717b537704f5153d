import { Parser } from 'htmlparser2';
import { isoTime } from '../clock.ts';
import { resolveAddress } from '../content/address.ts';

export interface SitemapEntry {
  /** Absolute, http or https. */
  url: string;
  /** ISO 8601. */
  lastmod?: string;
  /** 0 to 1. */
  priority?: number;
}

/** A part of a sitemap. */
export interface SitemapBatch {
  entries: SitemapEntry[];
  /** Addresses of other sitemaps, from an index. */
  sitemaps: string[];
  /** Entries that are not web addresses: `file:`, `javascript:`, with a password, longer than 8 KB. */
  dropped: number;
}

/** Sitemaps and feeds are 5 levels deep. The bound also keeps the parser's search for the matching tag short. */
const MAX_DEPTH = 100;
/** No address may be longer than 8,192 characters; the rest is white space around it. */
const MAX_FIELD = 9_000;

/** Elements of an address: sitemaps.org, RSS (any version) and Atom. */
const ITEMS: ReadonlySet<string> = new Set(['url', 'sitemap', 'item', 'entry']);
/**
 * The fields that are read. The first three must be in the item's own namespace: `<image:loc>` is the address of a
 * picture.
 */
const OWN_FIELDS: ReadonlySet<string> = new Set(['loc', 'lastmod', 'priority']);
const FEED_FIELDS: ReadonlySet<string> = new Set(['link', 'guid', 'pubdate', 'date', 'updated', 'published']);

class Stop extends Error {}

/**
 * Parses a sitemap piece by piece: `<urlset>`, `<sitemapindex>`, RSS, Atom, or one address a line. Tolerates any
 * prefix, any root, CDATA and missing end tags. Reads no external resource and expands no entity of the document. Takes
 * memory for one entry, and time in proportion to the text.
 */
export class SitemapParser {
  readonly #baseUrl: string;
  #reader: XmlReader | LineReader | undefined;
  #batch = emptyBatch();

  /** @param url of the sitemap, for relative addresses */
  constructor(url: string) {
    this.#baseUrl = url;
  }

  /** Returns false when the rest is not worth reading. */
  write(text: string): boolean {
    const source = this.#reader === undefined ? text.replace(/^[\ufeff\s]+/, '') : text;
    if (source === '') return true;
    this.#reader ??= source.startsWith('<') ? new XmlReader(this.#add) : new LineReader(this.#add);
    return this.#reader.write(source);
  }

  /** @param complete false when the text was cut off: then the last address may be incomplete */
  end(complete: boolean): void {
    // Elements that are still open are cut off too, whatever the reason.
    if (complete && this.#reader instanceof LineReader) this.#reader.endLine();
  }

  /** Entries that have not been taken yet. */
  get size(): number {
    return this.#batch.entries.length + this.#batch.sitemaps.length;
  }

  /** The entries since the last call. */
  take(): SitemapBatch {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    return batch;
  }

  readonly #add = (address: string, { name, lastmod, priority }: Found): void => {
    const url = webAddress(address, this.#baseUrl);
    if (url === undefined) this.#batch.dropped++;
    else if (name === 'sitemap') this.#batch.sitemaps.push(url);
    else this.#batch.entries.push({ url, ...time(lastmod), ...weight(priority) });
  };
}

interface Found {
  /** Of the element. */
  name: string;
  lastmod?: string | undefined;
  priority?: string | undefined;
}

type Add = (address: string, found: Found) => void;

/** One address a line, as the protocol allows. */
class LineReader {
  readonly #add: Add;
  #rest = '';

  constructor(add: Add) {
    this.#add = add;
  }

  write(text: string): boolean {
    const lines = (this.#rest + text).split(/\r\n?|\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
    // An endless line is only reported as too long.
    if (this.#rest.length > MAX_FIELD) this.#rest = this.#rest.slice(0, MAX_FIELD);
    return true;
  }

  endLine(): void {
    this.#read(this.#rest);
  }

  #read(line: string): void {
    const address = line.trim();
    // Other text is not a relative address: this may be an error page.
    if (/^https?:\/\//i.test(address)) this.#add(address, { name: 'url' });
  }
}

interface Item {
  name: string;
  prefix: string;
  depth: number;
  fields: Map<string, string>;
}

class XmlReader {
  readonly #add: Add;
  readonly #parser: Parser;
  #depth = 0;
  #item: Item | undefined;
  /** The field of the item that is open, and its text so far. */
  #field: string | undefined;
  #text = '';
  /** Attributes of an Atom `<link>`. */
  #href: string | undefined;
  #rel: string | undefined;

  constructor(add: Add) {
    this.#add = add;
    this.#parser = new Parser(
      {
        onopentagname: (name) => this.#open(name),
        onattribute: (name, value) => this.#attribute(name, value),
        ontext: (text) => {
          // Only text of the field itself, not of elements inside it when its end tag is missing.
          if (this.#field === undefined || this.#item === undefined || this.#depth !== this.#item.depth + 1) return;
          if (this.#text.length <= MAX_FIELD) this.#text += text;
        },
        onclosetag: () => this.#close(),
      },
      { xmlMode: true },
    );
  }

  write(text: string): boolean {
    try {
      this.#parser.write(text);
      return true;
    } catch (error) {
      if (error instanceof Stop) return false;
      throw error;
    }
  }

  #open(qualified: string): void {
    const colon = qualified.indexOf(':');
    const prefix = colon === -1 ? '' : qualified.slice(0, colon);
    const name = qualified.slice(colon + 1).toLowerCase();
    // A page instead of a sitemap: the site answers everything with its home page.
    if (++this.#depth > MAX_DEPTH || (this.#depth === 1 && name === 'html')) throw new Stop();
    const item = this.#item;
    if (item === undefined) {
      if (ITEMS.has(name)) this.#item = { name, prefix, depth: this.#depth, fields: new Map() };
      return;
    }
    if (this.#depth !== item.depth + 1) return;
    const isField = OWN_FIELDS.has(name) ? prefix === item.prefix : FEED_FIELDS.has(name);
    if (!isField) return;
    this.#field = name;
    this.#text = '';
    this.#href = undefined;
    this.#rel = undefined;
  }

  #attribute(name: string, value: string): void {
    if (this.#field === 'link') {
      if (name === 'href') this.#href = value;
      else if (name === 'rel') this.#rel = value;
    } else if (this.#field === 'guid' && name === 'isPermaLink' && value === 'false') this.#field = undefined;
  }

  #close(): void {
    const item = this.#item;
    const depth = this.#depth--;
    if (item === undefined) return;
    if (depth === item.depth + 1) this.#endField(item.fields);
    else if (depth === item.depth) {
      this.#endField(item.fields);
      this.#item = undefined;
      this.#endItem(item);
    }
  }

  #endField(fields: Map<string, string>): void {
    const name = this.#field;
    this.#field = undefined;
    if (name === undefined || fields.has(name)) return;
    const text = this.#text.trim();
    if (text !== '') fields.set(name, text);
    else if (this.#href !== undefined && (this.#rel ?? 'alternate') === 'alternate')
      fields.set(name, this.#href.trim());
  }

  #endItem({ name, fields }: Item): void {
    const address = fields.get('loc') ?? fields.get('link') ?? fields.get('guid');
    if (address === undefined) return;
    const dates = ['lastmod', 'updated', 'pubdate', 'published', 'date'];
    const lastmod = dates.map((date) => fields.get(date)).find((date) => date !== undefined);
    this.#add(address, { name, lastmod, priority: fields.get('priority') });
  }
}

function webAddress(text: string, baseUrl: string): string | undefined {
  const address = resolveAddress(text, baseUrl);
  // We do not use other people's passwords. Few addresses have an @, and for most of them it is in the path.
  if (address?.includes('@')) {
    const { username, password } = new URL(address);
    if (username !== '' || password !== '') return undefined;
  }
  const hash = address?.indexOf('#') ?? -1;
  return hash === -1 ? address : address?.slice(0, hash);
}

function time(text: string | undefined): { lastmod?: string } {
  const ms = text === undefined || text.length > 64 ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? {} : { lastmod: isoTime(ms) };
}

function weight(text: string | undefined): { priority?: number } {
  const priority = text === undefined ? Number.NaN : Number(text);
  return priority >= 0 && priority <= 1 ? { priority } : {};
}

function emptyBatch(): SitemapBatch {
  return { entries: [], sitemaps: [], dropped: 0 };
}
