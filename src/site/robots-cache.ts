import { now } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { utf8Text } from '../fetch/body/utf8.ts';
import type { FetchedPage, Fetcher } from '../fetch/types.ts';
import { ALLOW_ALL, DISALLOW_ALL, MAX_LENGTH, parseRobots, type Robots } from './robots.ts';

/** RFC 9309 section 2.4: a copy should not be used for longer. */
const MAX_AGE_MS = 24 * 3_600_000;
/**
 * After this long a site whose file could not be had is asked again: soon at first, so that it was asked once more whenever
 * one of its pages is tried again. What failed for a moment must not keep out all pages of a job.
 */
const RETRIES_MS = [1_500, 3_000, 2 * 60_000] as const;
/** A site that needs longer for a small text is not reachable. */
const FETCH_MS = 15_000;
/**
 * A file of which this much has come by then is used as far as it has come: it is longer than nearly all files are, and
 * may have no end. Of a shorter one the rules that are missing could be those that forbid.
 */
const ENOUGH_BYTES = 64 * 1024;
/** Of sites whose robots.txt is kept. */
const MAX_SITES = 2_000;
/** Of all texts together: 2,000 usual files of 2 KB. The largest possible take 16 MB of memory each, so it keeps 8 of them. */
const MAX_CHARS = 4_000_000;

export interface SiteRobots {
  robots: Robots;
  /** Why the file could not be had, in a sentence. Then nothing is allowed (RFC 9309 section 2.3.1.4), unless an earlier copy is there. */
  unreachable?: string;
  /** It could not be had because there is no such host. */
  isNowhere?: boolean;
}

interface Kept extends SiteRobots {
  chars: number;
  /** How often in a row it could not be had. */
  failures: number;
  /** Milliseconds since the epoch. */
  until: number;
}

type Answered = Omit<Kept, 'failures' | 'until'>;

/**
 * The robots.txt of each site, for all crawls of a process: fetched when somebody first asks, once for all who ask
 * meanwhile, and kept for a day. Sites that were not asked for in the longest time go first.
 */
export class RobotsCache {
  readonly #fetcher: Fetcher;
  readonly #fetchMs: number;
  /** By origin, the longest unused first. */
  readonly #kept = new Map<string, Kept>();
  readonly #fetching = new Map<string, Promise<Kept>>();
  #chars = 0;

  constructor(fetcher: Fetcher, { fetchMs = FETCH_MS } = {}) {
    this.#fetcher = fetcher;
    this.#fetchMs = fetchMs;
  }

  /**
   * What the site of an address allows. A failure of the site is no error.
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

/** Its own time limit, not that of whoever asked first: others wait for it too. */
async function fetchRobots(fetcher: Fetcher, origin: string, fetchMs: number): Promise<Answered> {
  using deadline = new Deadline(fetchMs);
  try {
    const page = await fetcher.fetch({
      url: `${origin}/robots.txt`,
      headers: { accept: 'text/plain,*/*;q=0.8' },
      mobile: false,
      languages: [],
      // Rules from a site with a bad certificate are better than none: pages of such sites are scraped, too.
      verifyTls: false,
      proxy: 'auto',
      deadline,
      part: { most: MAX_LENGTH, least: ENOUGH_BYTES },
      // All teams ask for it together.
      share: 'robots.txt',
    });
    return readAnswer(page, origin);
  } catch (error) {
    if (!(error instanceof TrawlError) || error.code === 'SHUTTING_DOWN') throw error;
    // RFC 9309 section 2.3.1.2: after more than five redirects the file may be taken for one that is not there.
    if (error.code === 'SCRAPE_TOO_MANY_REDIRECTS') return { robots: ALLOW_ALL, chars: 0 };
    if (error.code === 'SCRAPE_TIMEOUT') return unreachable(origin, `it did not come within ${fetchMs / 1000} s`);
    return { ...unreachable(origin, error.message), isNowhere: error.code === 'SCRAPE_DNS_RESOLUTION_ERROR' };
  }
}

function readAnswer({ status, body, isText, incomplete, partial }: FetchedPage, origin: string): Answered {
  if (status >= 500) return unreachable(origin, `it answered ${status}`);
  if (status < 200 || status > 299) return { robots: ALLOW_ALL, chars: 0 };
  // The rules that are missing could be those that forbid.
  if (incomplete) return unreachable(origin, 'the connection ended before the file did');
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
