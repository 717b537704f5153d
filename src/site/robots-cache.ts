import { now } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { utf8Text } from '../fetch/body/utf8.ts';
import type { FetchedPage, Fetcher } from '../fetch/types.ts';
import { ALLOW_ALL, DISALLOW_ALL, MAX_LENGTH, parseRobots, type Robots } from './robots.ts';

/** RFC 9309 section 2.4: a copy should not be used for longer. */
const MAX_AGE_MS = 24 * 3_600_000;
/**
 * After this long, an unreachable file is requested again: soon at first, before one of the site's pages is retried. A
 * short failure must not exclude all pages of a job.
 */
const RETRIES_MS = [1_500, 3_000, 2 * 60_000] as const;
/** A site that needs longer for a small text counts as unreachable. */
const FETCH_MS = 15_000;
/**
 * If this much of a file has come within the time limit, it is used: it is longer than nearly all files, and may be
 * endless. In a shorter one, the missing rules could be those that forbid.
 */
const ENOUGH_BYTES = 64 * 1024;
/** Number of sites whose robots.txt is cached. */
const MAX_SITES = 2_000;
/**
 * Characters of all cached texts: 2,000 typical files of 2 KB. The largest possible take 16 MB of memory each, so 8 of
 * them fit.
 */
const MAX_CHARS = 4_000_000;

export interface SiteRobots {
  robots: Robots;
  /**
   * Why the file is unreachable, as a sentence. Then nothing is allowed (RFC 9309 section 2.3.1.4), unless there is an
   * earlier copy.
   */
  unreachable?: string;
  /** It is unreachable because there is no such host. */
  isNowhere?: boolean;
}

interface Kept extends SiteRobots {
  chars: number;
  /** Number of failures in a row. */
  failures: number;
  /** Milliseconds since the epoch. */
  until: number;
}

type Answered = Omit<Kept, 'failures' | 'until'>;

/**
 * The robots.txt of each site, for all crawls of a process: fetched on first use, once for simultaneous callers, and
 * cached for a day. The least recently used sites are dropped first.
 */
export class RobotsCache {
  readonly #fetcher: Fetcher;
  readonly #fetchMs: number;
  /** By origin, least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #fetching = new Map<string, Promise<Kept>>();
  #chars = 0;

  constructor(fetcher: Fetcher, { fetchMs = FETCH_MS } = {}) {
    this.#fetcher = fetcher;
    this.#fetchMs = fetchMs;
  }

  /**
   * The rules of the site of an address. A failure of the site is no error.
   * @throws the reason of `signal`, as soon as it aborts; SHUTTING_DOWN
   */
  async get({ origin }: URL, signal: AbortSignal): Promise<SiteRobots> {
    signal.throwIfAborted();
    const kept = this.#kept.get(origin);
    if (kept !== undefined && now() < kept.until) {
      this.#keep(origin, kept);
      return kept;
    }
    let fetching = this.#fetching.get(origin);
    if (fetching === undefined) {
      fetching = this.#fetch(origin, kept).finally(() => this.#fetching.delete(origin));
      this.#fetching.set(origin, fetching);
    }
    return unlessAborted(fetching, signal);
  }

  async #fetch(origin: string, last: Kept | undefined): Promise<Kept> {
    const answer = await fetchRobots(this.#fetcher, origin, this.#fetchMs);
    const { unreachable, isNowhere = false } = answer;
    const failures = unreachable === undefined ? 0 : (last?.failures ?? 0) + 1;
    const kept: Kept =
      unreachable === undefined
        ? { ...answer, failures, until: now() + MAX_AGE_MS }
        : // The rules of yesterday are better than none.
          { ...(last ?? answer), failures, unreachable, isNowhere, until: now() + retryAfter(failures) };
    this.#keep(origin, kept);
    return kept;
  }

  #keep(origin: string, kept: Kept): void {
    this.#chars += kept.chars - (this.#kept.get(origin)?.chars ?? 0);
    this.#kept.delete(origin);
    this.#kept.set(origin, kept);
    for (const [oldest, { chars }] of this.#kept) {
      if (this.#kept.size <= MAX_SITES && this.#chars <= MAX_CHARS) break;
      this.#kept.delete(oldest);
      this.#chars -= chars;
    }
  }
}

function retryAfter(failures: number): number {
  const [first, second, later] = RETRIES_MS;
  return failures === 1 ? first : failures === 2 ? second : later;
}

/** Its own time limit, not that of the first caller: others wait for it too. */
async function fetchRobots(fetcher: Fetcher, origin: string, fetchMs: number): Promise<Answered> {
  using deadline = new Deadline(fetchMs);
  try {
    const page = await fetcher.fetch({
      url: `${origin}/robots.txt`,
      headers: { accept: 'text/plain,*/*;q=0.8' },
      mobile: false,
      languages: [],
      // Rules from a site with a bad certificate are better than none: pages of such sites are scraped too.
      verifyTls: false,
      proxy: 'auto',
      deadline,
      part: { max: MAX_LENGTH, enough: ENOUGH_BYTES },
      // Fetched on behalf of all teams.
      share: 'robots.txt',
    });
    return readAnswer(page, origin);
  } catch (error) {
    if (!(error instanceof TrawlError) || error.code === 'SHUTTING_DOWN') throw error;
    // RFC 9309 section 2.3.1.2: after more than five redirects the file may be treated as missing.
    if (error.code === 'SCRAPE_TOO_MANY_REDIRECTS') return { robots: ALLOW_ALL, chars: 0 };
    if (error.code === 'SCRAPE_TIMEOUT') return unreachable(origin, `it did not arrive within ${fetchMs / 1000} s`);
    return { ...unreachable(origin, error.message), isNowhere: error.code === 'SCRAPE_DNS_RESOLUTION_ERROR' };
  }
}

function readAnswer({ status, body, isText, incomplete, partial }: FetchedPage, origin: string): Answered {
  if (status >= 500) return unreachable(origin, `the server responded with ${status}`);
  if (status < 200 || status > 299) return { robots: ALLOW_ALL, chars: 0 };
  // The missing rules could be those that forbid.
  if (incomplete) return unreachable(origin, 'the connection closed before it was complete');
  const whole = isText ? utf8Text(body) : '';
  const text = partial ? withoutCutLine(whole) : whole;
  return { robots: parseRobots(text), chars: Math.min(text.length, MAX_LENGTH) };
}

/** Half a rule would forbid or allow more than it says. */
function withoutCutLine(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

function unreachable(origin: string, why: string): Answered {
  const reason = why.replace(/\.$/, '');
  return { robots: DISALLOW_ALL, chars: 0, unreachable: `${origin}/robots.txt could not be read: ${reason}` };
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
