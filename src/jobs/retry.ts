import { TrawlError } from '../errors.ts';

/** Tries of a page whose target fails for a temporary reason. */
const TRIES = 3;
/** Pause before the second try; it doubles before the third. */
const PAUSE_MS = 2_000;
/** Pause after a failure of our own: it would only get worse if everything were retried at once. */
const OWN_PAUSE_MS = 1_000;
/** A sitemap whose pages did not all fit into the queue is read again: by then some thousand pages are done. */
const QUEUE_PAUSE_MS = 30_000;
/** A host that asks for a longer pause is asked again after this one: the job has to come to an end. */
const MAX_PAUSE_MS = 5 * 60_000;
/** Pause between two pages of a busy host, at first; it doubles each time that the host is busy again. */
const MIN_DELAY_MS = 250;
/**
 * A host that takes less than 15 pages a minute counts as down: trying each of 1,000 pages three times would take
 * hours.
 */
const MAX_DELAY_MS = 4_000;
/** Factor for each page that such a host delivers: the pause is halved after 34 pages. */
const QUICKER = 0.98;
/** Below this pause a host is asked at the normal pace. */
const UNHURRIED_MS = 50;

/** Failures of a target that may be temporary. All others would fail again. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'SCRAPE_CONNECTION_ERROR',
  'SCRAPE_PROXY_ERROR',
  'SCRAPE_TIMEOUT',
  'SCRAPE_HOST_BUSY',
  'SCRAPE_ROBOTS_UNREACHABLE',
]);
/** Failures that are not the page's fault, and the pause after them. */
const NOT_ITS_FAULT: ReadonlyMap<string, number> = new Map([
  ['STORE_UNAVAILABLE', OWN_PAUSE_MS],
  ['SHUTTING_DOWN', OWN_PAUSE_MS],
  ['OVERLOADED', OWN_PAUSE_MS],
  ['REQUEST_CANCELLED', OWN_PAUSE_MS],
  ['QUEUE_FULL', QUEUE_PAUSE_MS],
]);

export type Verdict =
  | { type: 'failed'; code: string; message: string }
  | { type: 'again'; runAt: number }
  /** The task counts as not tried. */
  | { type: 'returned'; runAt: number };

/**
 * What follows from an error of a page that was tried `attempts` times before: either another try after a pause, or the
 * error report. The pause is longer by a random amount of up to a half, so that pages that failed together are not
 * retried together.
 */
export function judge(error: unknown, attempts: number, at: number): Verdict {
  if (!(error instanceof TrawlError)) {
    return { type: 'failed', code: 'INTERNAL_ERROR', message: 'Something went wrong inside the service.' };
  }
  const pause = NOT_ITS_FAULT.get(error.code);
  if (pause !== undefined) return { type: 'returned', runAt: at + pause };
  if (isRetryable(error) && !isLastTry(attempts)) {
    const longer = PAUSE_MS * 2 ** attempts * (1 + Math.random() / 2);
    return { type: 'again', runAt: at + Math.round(Math.max(longer, pauseOf(error) ?? 0)) };
  }
  return { type: 'failed', code: error.code, message: error.message };
}

/** Whether the next try may have another outcome. */
export function isRetryable(error: unknown): boolean {
  return error instanceof TrawlError && RETRYABLE.has(error.code);
}

/** Whether a page that failed `attempts` times before is not tried again. */
export function isLastTry(attempts: number): boolean {
  return attempts + 1 >= TRIES;
}

/**
 * The pause between two pages of a host that was busy when asked every `delay` ms, in milliseconds. The pause that the
 * host asked for is not enough: a host that serves 5 pages a second gets all requests at once when that pause is over,
 * and pages use up their tries.
 */
export function slower(delay: number): number {
  return Math.min(Math.max(Math.ceil(delay * 2), MIN_DELAY_MS), MAX_DELAY_MS);
}

/** The same after the host has delivered a page. */
export function quicker(delay: number): number {
  return delay <= UNHURRIED_MS ? 0 : Math.floor(delay * QUICKER);
}

/** Whether a host is asked so slowly that it counts as down if it is busy even then. */
export function isSlowest(delay: number): boolean {
  return delay >= MAX_DELAY_MS;
}

/** How long a busy host wants no requests, in milliseconds; null for every other failure. */
export function pauseOf(error: unknown): number | null {
  if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_HOST_BUSY') return null;
  const seconds = Number(error.headers['retry-after']);
  const pause = Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds * 1000)) : PAUSE_MS;
  return Math.min(pause, MAX_PAUSE_MS);
}
