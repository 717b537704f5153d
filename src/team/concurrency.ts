import { TrawlError } from '../errors.ts';
import type { LimitStore } from '../store/limits/limit-store.ts';
import type { Caller } from './keys.ts';

/** Most work is done within some seconds, and then there is a place. */
const RETRY_SECONDS = 1;

/**
 * Does a piece of work that somebody waits for in one of the places that the caller's plan has. Throws
 * CONCURRENCY_LIMIT_EXCEEDED at once when all of them are taken.
 */
export async function inPlace<Result>(
  limits: LimitStore,
  { plan, subject }: Caller,
  work: () => Promise<Result>,
): Promise<Result> {
  if (plan.concurrency === null) return work();
  const place = await limits.takePlace(subject, plan.concurrency);
  if (place === null) {
    throw new TrawlError(
      'CONCURRENCY_LIMIT_EXCEEDED',
      `Concurrency limit exceeded. The plan "${plan.name}" allows ${plan.concurrency} requests at the same time, and so many run. Wait for one of them to end, and please retry after ${RETRY_SECONDS}s.`,
      { headers: { 'retry-after': String(RETRY_SECONDS) } },
    );
  }
  try {
    return await work();
  } finally {
    // Before the answer goes out: whoever sends one request after the other never meets its own last one.
    await place.leave();
  }
}
