import { TrawlError } from '../errors.ts';
import type { LimitStore } from '../store/limits/limit-store.ts';
import type { Caller } from './keys.ts';

/** Most work is done within some seconds, which frees a slot. */
const RETRY_SECONDS = 1;

/**
 * Runs a piece of work in one of the slots of the caller's plan, while the caller waits. Throws
 * CONCURRENCY_LIMIT_EXCEEDED at once when all of them are taken.
 */
export async function inSlot<Result>(
  limits: LimitStore,
  { plan, subject }: Caller,
  work: () => Promise<Result>,
): Promise<Result> {
  if (plan.concurrency === null) return work();
  const slot = await limits.takeSlot(subject, plan.concurrency);
  if (slot === null) {
    throw new TrawlError(
      'CONCURRENCY_LIMIT_EXCEEDED',
      `Concurrency limit exceeded. The plan "${plan.name}" allows ${plan.concurrency} requests at the same time, and all of them are running. Wait for one to end, and please retry after ${RETRY_SECONDS}s.`,
      { headers: { 'retry-after': String(RETRY_SECONDS) } },
    );
  }
  try {
    return await work();
  } finally {
    // Before the response is sent: a client that sends one request after the other never collides with its own last
    // one.
    await slot.release();
  }
}
