import type { Operation, Runner } from './database.ts';
import { eraseJobKeys } from './operations/jobs/job-keys.ts';
import { removeExpiredJob, removeOldHosts } from './operations/jobs/remove-jobs.ts';
import {
  findCacheCutoff,
  giveDiskBack,
  removeEndedWindows,
  removeExpiredScrapes,
  removeKeylessDays,
  removeOldPages,
  removeOldPlaces,
} from './operations/retention.ts';
import type { Sealing } from './sealing.ts';

export interface SweepLimits {
  /** Milliseconds since the epoch. */
  now: number;
  /** Room for cached pages, as they are stored: compressed. */
  cacheBytes: number;
}

const DAY_MS = 24 * 3_600_000;
/** A copy that nobody would take: "maxAge" is two days unless the caller says otherwise. */
const CACHE_MS = 30 * DAY_MS;

/** Rows removed in one write: 100 pages of 40 KB hold other writes up for 5 ms. */
const STEP = 100;
/** Steps of one kind in one sweep. */
const STEPS = 20;

/**
 * Removes what is over its time or has no room, and gives disk back: a bounded amount of each, in small steps that let
 * other writes in between. Resolves with whether more is left.
 */
export async function sweep(runner: Runner, sealing: Sealing, { now, cacheBytes }: SweepLimits): Promise<boolean> {
  const remove = <Which>(operation: Operation<Which & { limit: number }, number>, which: Which) =>
    inSteps(async () => (await runner.writeOnce(operation, { ...which, limit: STEP })) === STEP);

  // Before all else, which can take long: what is not removed yet cannot be read any more.
  await inSteps(async () => {
    const erased = await runner.writeOnce(eraseJobKeys, { at: now, limit: STEP });
    sealing.hasErased ||= erased > 0;
    return erased === STEP;
  });
  if (sealing.hasErased) {
    sealing.hasErased = false;
    const isDone = await runner.scrub();
    sealing.hasErased ||= !isDone;
  }
  // What limits counted goes a day after its end: no clock is that wrong.
  const before = now - DAY_MS;
  const more = [
    await remove(removeExpiredScrapes, { at: now }),
    await inSteps(() => runner.write(removeExpiredJob, { at: now, limit: STEP })),
    await remove(removeOldHosts, { before }),
    await remove(removeKeylessDays, { day: Math.floor(before / DAY_MS) }),
    await remove(removeEndedWindows, { before }),
    await remove(removeOldPlaces, { before }),
    await remove(removeOldPages, { storedBefore: now - CACHE_MS }),
  ];
  // Changes nothing, and is done where writes are because it takes its time.
  const cutoff = await runner.writeOnce(findCacheCutoff, { maxBytes: cacheBytes, limit: STEP * STEPS });
  if (cutoff !== null) await remove(removeOldPages, { storedBefore: cutoff });
  more.push(cutoff !== null, await inSteps(() => runner.writeOnce(giveDiskBack, undefined)));
  return more.includes(true);
}

/** Does a step again while it says that there is more. Resolves with whether there still is after the last one. */
async function inSteps(step: () => Promise<boolean>): Promise<boolean> {
  for (let count = 0; count < STEPS; count++) {
    if (!(await step())) return false;
  }
  return true;
}
