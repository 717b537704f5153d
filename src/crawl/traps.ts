import { hash } from 'node:crypto';
import { now } from '../clock.ts';
import type { TaskShape } from '../store/operations/jobs/task-shapes.ts';
import { type AddressShape, addressShape, calendarYear, type ShapeKind } from './address-shape.ts';

/**
 * The most addresses of one shape in a crawl. Generous where real sites have many: a shop has 100,000 products under
 * one shape, a forum of 20 years 5,000 pages of one list. For a calendar, a year of days is enough.
 */
const MAX_OF_KIND: Readonly<Record<ShapeKind, number>> = {
  calendar: 400,
  archive: 10_000,
  pagination: 5_000,
  search: 1_000,
  filters: 2_000,
  pair: 10_000,
  token: 20_000,
  title: 100_000,
  fixed: Number.POSITIVE_INFINITY,
};

/** Sets of query parameters for one path. Content systems have up to 20; combined filters have thousands. */
const MAX_NAME_SETS = 100;

/** Path segments. Real addresses have up to 15. */
const MAX_NAMES = 30;
const MAX_PARAMETERS = 30;
/** The same parameter repeated: filters that are added to themselves. */
const MAX_SAME_PARAMETER = 10;
/** How many years ahead and back a calendar is followed. */
const YEARS_AHEAD = 2;
const YEARS_BACK = 30;

/** The shape of an address, with the keys under which a crawl counts its pages. */
export interface CountedShape extends AddressShape, TaskShape {}

/** The shape of an address, if it is one that is counted. */
export function countedShape(url: URL): CountedShape | null {
  const shape = addressShape(url);
  if (MAX_OF_KIND[shape.kind] === Number.POSITIVE_INFINITY) return null;
  return { ...shape, key: keyOf(shape.shape), family: shape.hasQuery ? keyOf(`${shape.path}?`) : null };
}

/** Why an address by itself is a trap, as a sentence; undefined when it is not. */
export function trapOf(url: URL): string | undefined {
  return repeatedPath(url) ?? grownQuery(url) ?? distantYear(url);
}

/**
 * Decides when there are enough addresses of a shape: calendars, combined filters and endless lists keep a crawl busy
 * forever. It starts from the counts of the crawl, and continues them for one page or one part of a sitemap. Links that
 * the crawl already has are counted too: they are not lost, but a shape is full some links of a page too early.
 *
 * Of the 138,324 different addresses on 1,497 real pages, it and `trapOf` refuse 3: two that were encoded many times
 * over, and one with a parameter 11 times.
 */
export class ShapeLimits {
  readonly #counts: Map<string, number>;

  /** @param counts of pages of a shape by its key, and of shapes by the key of their family */
  constructor(counts: ReadonlyMap<string, number> = new Map()) {
    this.#counts = new Map(counts);
  }

  /** Counts an address of this shape. Returns why it is a trap, as a sentence; undefined when it is not. */
  add({ shape, kind, path, key, family }: CountedShape): string | undefined {
    const [max, count] = [MAX_OF_KIND[kind], this.#count(key)];
    if (count >= max) return `The crawl already has ${max} addresses like ${shape}: ${TRAPS[kind]}.`;
    if (count === 0 && family !== null) {
      const sets = this.#count(family);
      if (sets >= MAX_NAME_SETS) return `The crawl already has ${sets} variants of ${path}: ${TRAPS.filters}.`;
      this.#counts.set(family, sets + 1);
    }
    this.#counts.set(key, count + 1);
    return undefined;
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

const TRAPS: Readonly<Record<ShapeKind, string>> = {
  calendar: 'a calendar has no end',
  archive: 'pages for every day have no end',
  pagination: 'the list seems to have no end',
  search: 'searches have no end',
  filters: 'combined filters have no end',
  pair: 'combinations have no end',
  token: 'generated names have no end',
  title: 'the site seems to have no end',
  fixed: '',
};

/** 66 bits: two of 100,000 shapes collide with a probability of 10^-10. */
function keyOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 11);
}

/** `/a/b/a/b/a/b`: a relative link that the site resolves against the requested address. */
function repeatedPath({ pathname }: URL): string | undefined {
  const names = pathname.split('/').filter((name) => name !== '');
  if (names.length > MAX_NAMES) return `The path has ${names.length} segments, so it probably grows with every link.`;
  for (let period = 1; period <= 4; period++) {
    // A segment three times in a row is rare, but real: /1/1/1.
    const wanted = (period === 1 ? 4 : 3) * period;
    let run = period;
    for (let at = period; at < names.length; at++) {
      run = names[at] === names[at - period] ? run + 1 : period;
      if (run >= wanted) return `The path keeps repeating "${names.slice(at - period + 1, at + 1).join('/')}".`;
    }
  }
  return undefined;
}

/** Parameters that are added, or encoded, once more with every link. */
function grownQuery({ search, href }: URL): string | undefined {
  if (/%25(?:25){2}/.test(href)) return 'The address contains another one that was encoded many times over.';
  if (search === '') return undefined;
  const counts = new Map<string, number>();
  const parameters = search.slice(1).split('&');
  if (parameters.length > MAX_PARAMETERS) return `The query has ${parameters.length} parameters.`;
  for (const parameter of parameters) {
    const [name = ''] = parameter.split('=', 1);
    const count = (counts.get(name) ?? 0) + 1;
    if (count > MAX_SAME_PARAMETER)
      return `The query has "${name.slice(0, 50)}" more than ${MAX_SAME_PARAMETER} times.`;
    counts.set(name, count);
  }
  return undefined;
}

function distantYear(url: URL): string | undefined {
  const year = calendarYear(url);
  if (year === undefined) return undefined;
  const thisYear = new Date(now()).getUTCFullYear();
  if (year <= thisYear + YEARS_AHEAD && year >= thisYear - YEARS_BACK) return undefined;
  if (addressShape(url).kind !== 'calendar') return undefined;
  return `This is a calendar of ${year}: a crawl follows calendars ${YEARS_AHEAD} years ahead and ${YEARS_BACK} back.`;
}
