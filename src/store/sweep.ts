import type { Operation, Runner } from './database.ts';
import { eraseJobKeys } from './operations/jobs/job-keys.ts';
import { removeExpiredJob, removeOldHosts, removeOldRobotsPaces } from './operations/jobs/remove-jobs.ts';
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
import { isUnavailable } from './store-away.ts';

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
 * other writes in between. What cannot be removed does not keep the rest.
 *
 * @param onError is called with what the store refuses to remove
 * @returns whether anything was removed: then there may be more
 */
export async function sweep(
  runner: Runner,
  sealing: Sealing,
  { now, cacheBytes }: SweepLimits,
  onError: OnError,
): Promise<boolean> {
  const remove = <Which>(operation: Operation<Which & { limit: number }, number>, which: Which) =>
    inSteps(async () => (await runner.writeOnce(operation, { ...which, limit: STEP })) > 0, onError);

  // Before all else, which can take long: what is not removed yet cannot be read any more.
  await inSteps(async () => {
    const erased = await runner.writeOnce(eraseJobKeys, { at: now, limit: STEP });
    sealing.hasErased ||= erased > 0;
    return erased > 0;
  }, onError);
  if (sealing.hasErased) {
    sealing.hasErased = false;
    const isDone = await runner.scrub();
    sealing.hasErased ||= !isDone;
  }
  // What limits counted goes a day after its end: no clock is that wrong.
  const before = now - DAY_MS;
  const removed = [
    await remove(removeExpiredScrapes, { at: now }),
    await removeExpiredJobs(runner, now, onError),
    await remove(removeOldHosts, { before }),
    await remove(removeOldRobotsPaces, { before }),
    await remove(removeKeylessDays, { day: Math.floor(before / DAY_MS) }),
    await remove(removeEndedWindows, { before }),
    await remove(removeOldPlaces, { before }),
    await remove(removeOldPages, { storedBefore: now - CACHE_MS }),
  ];
  // Changes nothing, and is done where writes are because it takes its time.
  const cutoff = await runner.writeOnce(findCacheCutoff, { maxBytes: cacheBytes, limit: STEP * STEPS });
  if (cutoff !== null) removed.push(await remove(removeOldPages, { storedBefore: cutoff }));
  removed.push(await inSteps(() => runner.writeOnce(giveDiskBack, undefined), onError));
  return removed.includes(true);
}

type OnError = (error: unknown) => void;

/** A job that cannot be removed is passed over. */
async function removeExpiredJobs(runner: Runner, at: number, onError: OnError): Promise<boolean> {
  let skip = 0;
  let removed = false;
  for (let count = 0; count < STEPS; count += 1) {
    const before = skip;
    const step = () => runner.write(removeExpiredJob, { at, limit: STEP, skip });
    const some = await inSteps(step, (error) => {
      skip += 1;
      onError(error);
    });
    removed ||= some;
    if (skip === before) break;
  }
  return removed;
}

/** Does a step again until it does nothing, fails, or has been done often enough. Tells whether it did anything. */
async function inSteps(step: () => Promise<boolean>, onError: OnError): Promise<boolean> {
  for (let count = 0; count < STEPS; count++) {
    try {
      if (!(await step())) return count > 0;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      onError(error);
      return count > 0;
    }
  }
  return true;
}
