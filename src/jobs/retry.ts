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

/** What may pass by itself. Everything else of a target will fail again. */
const PASSING: ReadonlySet<string> = new Set([
  'SCRAPE_CONNECTION_ERROR',
  'SCRAPE_PROXY_ERROR',
  'SCRAPE_TIMEOUT',
  'SCRAPE_HOST_BUSY',
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
  if (PASSING.has(error.code) && attempts + 1 < TRIES) {
    const longer = PAUSE_MS * 2 ** attempts * (1 + Math.random() / 2);
    return { type: 'again', runAt: at + Math.round(Math.max(longer, pauseOf(error))) };
  }
  return { type: 'failed', code: error.code, message: error.message };
}

/** How long the host wants to be left alone, in milliseconds; 0 when it does not say so. */
export function pauseOf(error: unknown): number {
  if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_HOST_BUSY') return 0;
  const seconds = Number(error.headers['retry-after']);
  return Math.min(Number.isFinite(seconds) ? seconds * 1000 : PAUSE_MS, MOST_PAUSE_MS);
}
