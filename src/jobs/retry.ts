import { TrawlError } from '../errors.ts';

/** Tries of a page whose target fails for a reason that may pass. */
const TRIES = 3;
/** Before the second try, twice as long before the third. */
const PAUSE_MS = 2_000;
/** After trouble of our own: it would only grow if everything came back at once. */
const OWN_PAUSE_MS = 1_000;
/** A sitemap whose pages did not all fit into the queue is read again: by then some thousand pages are done. */
const QUEUE_PAUSE_MS = 30_000;
/** A host that asks for more than this is asked again all the same: the job has to come to an end. */
const MOST_PAUSE_MS = 5 * 60_000;
/** Between two pages of a host that was busy, at first; twice as long each time that it is again. */
const LEAST_DELAY_MS = 250;
/** A host that takes less than 15 pages a minute is down: were each of 1,000 pages tried three times, it would take hours. */
const MOST_DELAY_MS = 4_000;
/** With each page that such a host gives: half as long after 34 of them. */
const QUICKER = 0.98;
/** Below this a host is asked as all others are. */
const UNHURRIED_MS = 50;

/** What may pass by itself. Everything else of a target will fail again. */
const PASSING: ReadonlySet<string> = new Set([
  'SCRAPE_CONNECTION_ERROR',
  'SCRAPE_PROXY_ERROR',
  'SCRAPE_TIMEOUT',
  'SCRAPE_HOST_BUSY',
  'SCRAPE_ROBOTS_UNREACHABLE',
]);
/** What is no fault of the page, and how long it waits then. */
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
  /** As if it had not been tried. */
  | { type: 'returned'; runAt: number };

/**
 * What follows from an error of a page that was tried `attempts` times before: another try after a pause, which is longer
 * by up to a half by chance so that those who failed together do not come back together, or the error report.
 */
export function judge(error: unknown, attempts: number, at: number): Verdict {
  if (!(error instanceof TrawlError)) {
    return { type: 'failed', code: 'INTERNAL_ERROR', message: 'Something went wrong inside the service.' };
  }
  const pause = NOT_ITS_FAULT.get(error.code);
  if (pause !== undefined) return { type: 'returned', runAt: at + pause };
  if (mayPass(error) && !isLastTry(attempts)) {
    const longer = PAUSE_MS * 2 ** attempts * (1 + Math.random() / 2);
    return { type: 'again', runAt: at + Math.round(Math.max(longer, pauseOf(error) ?? 0)) };
  }
  return { type: 'failed', code: error.code, message: error.message };
}

/** Whether the next try may turn out otherwise. */
export function mayPass(error: unknown): boolean {
  return error instanceof TrawlError && PASSING.has(error.code);
}

/** Whether a page that failed `attempts` times before is not tried again. */
export function isLastTry(attempts: number): boolean {
  return attempts + 1 >= TRIES;
}

/**
 * How long a host that was busy is to be given between two pages from now on, in milliseconds, when it was asked every
 * `delay` ms. Its pause alone does not help: of a host that takes 5 pages a second all are asked again as one when the pause is
 * over, and pages use up their tries.
 */
export function slower(delay: number): number {
  return Math.min(Math.max(Math.ceil(delay * 2), LEAST_DELAY_MS), MOST_DELAY_MS);
}

/** The same when it has given a page. */
export function quicker(delay: number): number {
  return delay <= UNHURRIED_MS ? 0 : Math.floor(delay * QUICKER);
}

/** Whether a host is asked so slowly that one that is busy even then is down. */
export function isSlowest(delay: number): boolean {
  return delay >= MOST_DELAY_MS;
}

/** How long a busy host wants to be left alone, in milliseconds; null for every other failure. */
export function pauseOf(error: unknown): number | null {
  if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_HOST_BUSY') return null;
  const seconds = Number(error.headers['retry-after']);
  const pause = Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds * 1000)) : PAUSE_MS;
  return Math.min(pause, MOST_PAUSE_MS);
}
