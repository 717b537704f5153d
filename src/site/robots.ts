import { type PathPattern, pathPattern, robotsPath } from './robots-pattern.ts';

/**
 * RFC 9309 section 2.5 requires at least 500 KiB; Google reads as much. In UTF-16 units, which are never more than
 * bytes.
 */
export const MAX_LENGTH = 500 * 1024;
/** Google reads this much of a line: eight times the longest address of a browser. */
const MAX_LINE = 16_664;
/** Large sites name some hundred sitemaps. */
const MAX_SITEMAPS = 1_000;
/** In seconds. A longer delay would amount to a refusal, which is written as `Disallow`. */
const MAX_DELAY = 86_400;
/** Crawls use few different user agents. */
const KEPT_AGENTS = 8;

/** The spellings of records; Google accepts the same misspellings. */
const KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'user-agent': ['user-agent', 'useragent', 'user agent'],
    allow: ['allow'],
    disallow: ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'],
    'crawl-delay': ['crawl-delay', 'crawldelay', 'crawl delay'],
    sitemap: ['sitemap', 'site-map'],
  }).flatMap(([key, spellings]) => spellings.map((spelling) => [spelling, key] as const)),
);

/** The rules of a site for one crawler. */
export interface RobotsRules {
  /** Whether the address may be fetched: the longest matching rule decides, `allow` among equals. */
  isAllowed(url: URL): boolean;
  /** The name in the file that these rules belong to: a product token in lower case, or `*`. */
  readonly agent: string;
  /** Seconds between two pages, if the file has a `Crawl-delay` for this crawler. */
  readonly crawlDelay: number | undefined;
}

/** The rules of one group. */
type Group = Rule[];

interface Rule {
  allow: boolean;
  pattern: PathPattern;
}

/** A robots.txt file (RFC 9309), parsed tolerantly: no malformed line is fatal. */
export class Robots {
  /** The values of `Sitemap` lines (sitemaps.org), unchanged. */
  readonly sitemaps: readonly string[];
  readonly #groups: ReadonlyMap<string, readonly Group[]>;
  readonly #delays: ReadonlyMap<string, number>;
  readonly #rules = new Map<string, RobotsRules>();

  /** @param groups and @param delays by product token in lower case, or `*` */
  constructor(
    groups: ReadonlyMap<string, readonly Group[]>,
    delays: ReadonlyMap<string, number>,
    sitemaps: readonly string[],
  ) {
    this.#groups = groups;
    this.#delays = delays;
    this.sitemaps = sitemaps;
  }

  /**
   * The rules of all groups that name this crawler, together; if there are none, those for `*`.
   * @param agent a product token such as `Trawl`; case, and what follows the token, do not count
   */
  rulesFor(agent: string): RobotsRules {
    const token = productToken(agent);
    const known = this.#rules.get(token);
    if (known !== undefined) return known;
    const name = this.#groups.has(token) ? token : '*';
    const rules = toRules(name, this.#groups.get(name) ?? [], this.#delays.get(name));
    if (this.#rules.size >= KEPT_AGENTS) this.#rules.clear();
    this.#rules.set(token, rules);
    return rules;
  }
}

/** Parses the text of a robots.txt file. Never throws; linear in the text, of which at most 500 KiB are read. */
export function parseRobots(text: string): Robots {
  const groups = new Map<string, Group[]>();
  const delays = new Map<string, number>();
  const sitemaps: string[] = [];
  let group: Group | undefined;
  /** No rule has come yet: a further `User-agent` line names the same group. */
  let isStart = false;
  /** Names of this group without a delay so far. */
  let undelayed: string[] = [];
  for (const [key, value] of records(text)) {
    switch (key) {
      case 'user-agent': {
        if (group === undefined || !isStart) {
          group = [];
          undelayed = [];
        }
        isStart = true;
        const name = value.startsWith('*') ? '*' : productToken(value);
        undelayed.push(name);
        addGroup(groups, name, group);
        break;
      }
      case 'allow':
      case 'disallow':
        isStart = false;
        if (value !== '') group?.push({ allow: key === 'allow', pattern: pathPattern(value) });
        break;
      case 'crawl-delay': {
        // Not part of RFC 9309, so it must not end the list of names (section 2.2.4): it applies to the names so far.
        const delay = delayOf(value);
        if (delay === undefined) break;
        for (const name of undelayed) if (!delays.has(name)) delays.set(name, delay);
        undelayed = [];
        break;
      }
      case 'sitemap':
        if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
    }
  }
  return new Robots(groups, delays, sitemaps);
}

/** A file that allows everything, as a missing one does (RFC 9309 section 2.3.1.3). */
export const ALLOW_ALL = parseRobots('');
/** For a site whose file is unreachable (section 2.3.1.4). */
export const DISALLOW_ALL = parseRobots('User-agent: *\nDisallow: /');

function* records(source: string): Generator<[key: string, value: string]> {
  const text = upToLimit(source.startsWith('\ufeff') ? source.slice(1) : source);
  for (const whole of text.split(/\r\n?|\n/)) {
    const line = (whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole).replace(/#.*/s, '').trim();
    const colon = line.indexOf(':');
    if (colon !== -1) {
      const key = KEYS.get(line.slice(0, colon).trim().toLowerCase());
      if (key !== undefined) yield [key, line.slice(colon + 1).trim()];
      continue;
    }
    // "Disallow /private": the colon is missing, but the meaning is clear.
    const [name = '', value, more] = line.split(/[ \t]+/, 3);
    const key = KEYS.get(name.toLowerCase());
    if (key !== undefined && value !== undefined && more === undefined) yield [key, value];
  }
}

/** Only whole lines: half a rule would forbid more than it says. */
function upToLimit(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const end = Math.max(text.lastIndexOf('\n', MAX_LENGTH), text.lastIndexOf('\r', MAX_LENGTH));
  return text.slice(0, Math.max(0, end));
}

/**
 * The product token at the start of a name (RFC 9309 section 2.2.1), in lower case. Digits count, beyond the RFC: many
 * crawlers have one in their name, and `MJ12bot` must not get the rules of `MJ`.
 */
function productToken(name: string): string {
  return /^[\w-]*/.exec(name.trimStart())?.[0].toLowerCase() ?? '';
}

function addGroup(groups: Map<string, Group[]>, token: string, group: Group): void {
  const known = groups.get(token);
  if (known === undefined) groups.set(token, [group]);
  else if (known.at(-1) !== group) known.push(group);
}

function toRules(agent: string, groups: readonly Group[], crawlDelay: number | undefined): RobotsRules {
  const rules = groups.flat();
  // The first match then decides: most addresses take a few comparisons of prefixes.
  rules.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow));
  return {
    agent,
    crawlDelay,
    isAllowed(url) {
      if (rules.length === 0 || url.pathname === '/robots.txt') return true;
      const path = robotsPath(url);
      for (const { allow, pattern } of rules) if (pattern.matches(path)) return allow;
      return true;
    },
  };
}

function delayOf(value: string): number | undefined {
  if (!/^\d{1,9}(?:\.\d{1,9})?s?$/i.test(value)) return undefined;
  return Math.min(Number.parseFloat(value), MAX_DELAY);
}
