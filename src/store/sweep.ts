import type { Runner } from './database.ts';
import { findCacheCutoff, giveDiskBack, removeExpiredScrapes, removeOldPages } from './operations/retention.ts';

export interface SweepLimits {
  /** Milliseconds since the epoch. */
  now: number;
  /** Room for cached pages, as they are stored: compressed. */
  cacheBytes: number;
}

/** A copy that nobody would take: "maxAge" is two days unless the caller says otherwise. */
const CACHE_MS = 30 * 24 * 3_600_000;

/** Rows removed in one write: 100 pages of 40 KB hold other writes up for 5 ms. */
const STEP = 100;
/** Steps of one kind in one sweep. */
const STEPS = 20;

/**
 * Removes what is over its time or has no room, and gives disk back: a bounded amount of each, in small steps that let
 * other writes in between. Resolves with whether more is left.
 */
export async function sweep(runner: Runner, { now, cacheBytes }: SweepLimits): Promise<boolean> {
  const removeBefore = (storedBefore: number) =>
    inSteps(async () => (await runner.writeOnce(removeOldPages, { storedBefore, limit: STEP })) === STEP);

  const moreScrapes = await inSteps(
    async () => (await runner.writeOnce(removeExpiredScrapes, { at: now, limit: STEP })) === STEP,
  );
  const moreOld = await removeBefore(now - CACHE_MS);
  // Changes nothing, and is done where writes are because it takes its time.
  const cutoff = await runner.writeOnce(findCacheCutoff, { maxBytes: cacheBytes, limit: STEP * STEPS });
  if (cutoff !== null) await removeBefore(cutoff);
  const moreDisk = await inSteps(() => runner.writeOnce(giveDiskBack, undefined));
  return moreScrapes || moreOld || cutoff !== null || moreDisk;
}

/** Does a step again while it says that there is more. Resolves with whether there still is after the last one. */
async function inSteps(step: () => Promise<boolean>): Promise<boolean> {
  for (let count = 0; count < STEPS; count++) {
    if (!(await step())) return false;
  }
  return true;
}
