import { hash } from 'node:crypto';
import { now } from '../clock.ts';
import { type AddressShape, addressShape, calendarYear, type ShapeKind } from './address-shape.ts';

/**
 * How many addresses of one shape a crawl takes. Generous where real sites have many: a shop has 100,000 products under
 * one shape, a forum of 20 years 5,000 pages of one list. Of a calendar, a year of days is enough.
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

/** Sets of names in the query for one path. Content systems have up to 20; filters that combine have thousands. */
const MAX_NAME_SETS = 100;
/** Shapes that are counted: what comes after is not. Real sites have some hundred. */
const MAX_SHAPES = 10_000;

/** Names in a path. Real ones have up to 15. */
const MAX_NAMES = 30;
const MAX_PARAMETERS = 30;
/** Filters that are added to themselves. */
const MAX_SAME_PARAMETER = 10;
/** Years ahead and back that a calendar is followed. */
const YEARS_AHEAD = 2;
const YEARS_BACK = 30;

/** Counts by the hash of what is counted. */
export type TrapState = Record<string, number>;

/**
 * Tells addresses that lead a crawl on for ever: calendars, filters that combine, paths that repeat themselves, lists
 * without end. What it knows of a crawl is small and plain, so that it can be stored with it.
 *
 * Of the 138,324 different addresses that 1,497 real pages point to, it refuses 3: two that were encoded many times over,
 * and one with a parameter 11 times.
 */
export class TrapDetector {
  readonly #counts: Map<string, number>;

  constructor(state: TrapState = {}) {
    this.#counts = new Map(Object.entries(state));
  }

  get state(): TrapState {
    return Object.fromEntries(this.#counts);
  }

  /**
   * Why an address is taken for a trap, in a sentence; undefined when it is not. To be asked once for each address that
   * the crawl would otherwise take: it is counted.
   */
  check(url: URL): string | undefined {
    const grown = repeatedPath(url) ?? grownQuery(url);
    if (grown !== undefined) return grown;
    const shape = addressShape(url);
    return (shape.kind === 'calendar' ? distantYear(url) : undefined) ?? this.#countShape(shape);
  }

  #countShape({ shape, kind, path, hasQuery }: AddressShape): string | undefined {
    const most = MAX_OF_KIND[kind];
    if (most === Number.POSITIVE_INFINITY) return undefined;
    const key = keyOf(shape);
    const count = this.#counts.get(key) ?? 0;
    if (count >= most) return `${most} addresses like ${shape} were taken already: ${TRAPS[kind]}.`;
    if (count === 0) {
      if (this.#counts.size >= MAX_SHAPES) return undefined;
      if (hasQuery) {
        const setsKey = keyOf(`${path}?`);
        const sets = this.#counts.get(setsKey) ?? 0;
        if (sets >= MAX_NAME_SETS) return `${path} has been asked in ${sets} ways already: ${TRAPS.filters}.`;
        this.#counts.set(setsKey, sets + 1);
      }
    }
    this.#counts.set(key, count + 1);
    return undefined;
  }
}

const TRAPS: Readonly<Record<ShapeKind, string>> = {
  calendar: 'a calendar has no end',
  archive: 'pages for every day have no end',
  pagination: 'the list seems to have no end',
  search: 'searches have no end',
  filters: 'filters that combine have no end',
  pair: 'combinations have no end',
  token: 'names that a machine makes have no end',
  title: 'the site seems to have no end',
  fixed: '',
};

/** 64 bits: among 10,000 shapes two are the same with a chance of 10^-12. */
function keyOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 11);
}

/** `/a/b/a/b/a/b`: a relative link that the site resolves against whatever it was asked for. */
function repeatedPath({ pathname }: URL): string | undefined {
  const names = pathname.split('/').filter((name) => name !== '');
  if (names.length > MAX_NAMES) return `The path has ${names.length} names, as those have that grow with every link.`;
  for (let period = 1; period <= 4; period++) {
    // One name three times in a row is rare, but it occurs: /1/1/1.
    const wanted = (period === 1 ? 4 : 3) * period;
    let run = period;
    for (let at = period; at < names.length; at++) {
      run = names[at] === names[at - period] ? run + 1 : period;
      if (run >= wanted) return `The path repeats "${names.slice(at - period + 1, at + 1).join('/')}" again and again.`;
    }
  }
  return undefined;
}

/** Parameters that are added, or encoded, once more with every link. */
function grownQuery({ search, href }: URL): string | undefined {
  if (/%25(?:25){2}/.test(href)) return 'The address holds another one that was encoded again and again.';
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
  return `A calendar of ${year}: calendars are followed ${YEARS_AHEAD} years ahead and ${YEARS_BACK} back.`;
}
