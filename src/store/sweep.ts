import type { Runner } from './database.ts';
import { giveDiskBack, removeExpiredScrapes, removeOldPages, shrinkPageCache } from './operations/retention.ts';

export interface SweepLimits {
  /** Milliseconds since the epoch. */
  now: number;
  /** Room for cached pages, as they are stored: compressed. */
  cacheBytes: number;
}

/** Rows removed in one write: 500 pages of 40 KB hold the writer up for 25 ms. */
const STEP = 500;
/** A copy that nobody would take: "maxAge" is two days unless the caller says otherwise. */
const CACHE_MS = 30 * 24 * 3_600_000;

/**
 * Removes what is over its time or has no room, in one small step, and gives disk back. Resolves with whether more is
 * left: the caller goes on until nothing is, and other writes come in between.
 */
export async function sweep(runner: Runner, { now, cacheBytes }: SweepLimits): Promise<boolean> {
  const scrapes = await runner.writeOnce(removeExpiredScrapes, { at: now, limit: STEP });
  const old = await runner.writeOnce(removeOldPages, { storedBefore: now - CACHE_MS, limit: STEP });
  const excess = await runner.write(shrinkPageCache, { maxBytes: cacheBytes, limit: STEP });
  const moreDisk = await runner.writeOnce(giveDiskBack, undefined);
  return moreDisk || Math.max(scrapes, old, excess) === STEP;
}
