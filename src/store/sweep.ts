import { idBefore } from '../clock.ts';
import type { Artifacts } from './artifacts/artifacts.ts';
import { ConstraintError } from './constraint-error.ts';
import type { Operation, Runner } from './database.ts';
import { excessOfTeams } from './fair-share.ts';
import { measureArtifacts } from './operations/artifacts.ts';
import { removeUnusedProfiles } from './operations/browser-profiles.ts';
import { type DeletionState, deleteSomeOfTeam, findDeletedTeam } from './operations/delete-team.ts';
import { foldRevokedKeys, foldUsageDays } from './operations/fold.ts';
import { giveDiskBack } from './operations/give-disk-back.ts';
import { eraseJobKeys } from './operations/jobs/job-keys.ts';
import { removeExpiredJob, removeOldHosts, removeOldRobotsPaces } from './operations/jobs/remove-jobs.ts';
import {
  type Excess,
  measureCaches,
  measureResults,
  measureStore,
  type Removed,
  removeOldestPages,
  removeOldestResults,
  type TeamSize,
} from './operations/remove-by-size.ts';
import {
  removeEndedWindows,
  removeExpiredScrapes,
  removeKeylessDays,
  removeOldActivity,
  removeOldCharges,
  removeOldPages,
  removeOldReservations,
  removeOldSlots,
} from './operations/remove-by-time.ts';
import type { Sealing } from './sealing.ts';
import { isUnavailable } from './store-away.ts';

/** How much data is kept, and for how long. Without a limit, all of it is kept. */
export interface SweepLimits {
  /** Milliseconds since the epoch. */
  now: number;
  /** Maximum size of cached pages, as stored: compressed. */
  cacheBytes: number;
  /** Maximum size of results, as stored. */
  resultBytes?: number;
  /** How long ledger entries are kept. */
  ledgerMs?: number;
  /** How long the activity log goes back, a revoked key keeps its own row, and an unused browser profile is kept. */
  activityMs?: number;
}

const DAY_MS = 24 * 3_600_000;
/** Older copies are hardly ever used: "maxAge" is two days unless the caller sets it. */
const CACHE_MS = 30 * DAY_MS;

/** Rows removed in one write. 100 pages of 40 KB delay other writes by 5 ms. */
const STEP = 100;
/** The most steps of one kind in one sweep. */
const STEPS = 20;
/** Smaller, because a profile can have 5 MB. */
const PROFILES_STEP = 10;
/** Smaller, because each key reads all sums of its team. */
const KEYS_STEP = 5;

/**
 * Removes data that has expired or exceeds its size limit, and frees disk space. Removes a bounded amount of each kind,
 * in small steps, so that other writes can run in between. A failure in one kind does not stop the others.
 *
 * @param onError called with each refusal of the store to remove something
 * @returns whether anything was removed: then there may be more
 */
export async function sweep(
  { runner, sealing, artifacts }: Swept,
  limits: SweepLimits,
  onError: OnError,
): Promise<boolean> {
  const { now, cacheBytes, resultBytes, ledgerMs, activityMs } = limits;
  const remove = <Which>(operation: Operation<Which & { limit: number }, number>, which: Which, limit = STEP) =>
    inSteps(async () => (await runner.write(operation, { ...which, limit })) > 0, onError);

  // First, because the rest can take long: from now on nothing can read the data of expired jobs.
  await eraseKeys(runner, sealing, now, onError);
  // Counts of limits and shards of a day are removed a day after their end: no clock is off by that much.
  const before = now - DAY_MS;
  const day = Math.floor(before / DAY_MS);
  const removed = [
    await inSteps(async () => (await deleteSomeTeam({ runner, artifacts }, now)) === 'more', onError),
    await remove(removeExpiredScrapes, { at: now }),
    await remove(removeOldPages, { storedBefore: now - CACHE_MS }),
    await remove(removeOldHosts, { before }),
    await remove(removeOldRobotsPaces, { before }),
    await remove(removeOldReservations, { at: now }),
    await remove(removeKeylessDays, { day }),
    await remove(removeEndedWindows, { before }),
    await remove(removeOldSlots, { before }),
    await remove(foldUsageDays, { day }),
  ];
  if (ledgerMs !== undefined) removed.push(await remove(removeOldCharges, { beforeId: idBefore(now - ledgerMs) }));
  if (activityMs !== undefined) {
    removed.push(await remove(removeOldActivity, { beforeId: idBefore(now - activityMs) }));
    removed.push(await remove(removeUnusedProfiles, { usedBefore: now - activityMs }, PROFILES_STEP));
    removed.push(await remove(foldRevokedKeys, { revokedBefore: now - activityMs }, KEYS_STEP));
  }

  // While the whole store is smaller than the limit, nothing needs to be added up. The sums are read-only, but run on
  // SQLite's writer thread because they take long.
  const stored = await runner.read(measureStore, undefined);
  if (stored > cacheBytes) {
    const caches = await runner.writeOnce(measureCaches, undefined);
    const removeOldest = (excess: Excess) => runner.write(removeOldestPages, excess);
    removed.push(await makeRoom(caches, cacheBytes, removeOldest, onError));
  }
  // Artifacts may be in the database or outside it.
  const bytes = stored + (await runner.writeOnce(measureArtifacts, undefined));
  if (resultBytes !== undefined && bytes > resultBytes) {
    const results = await runner.writeOnce(measureResults, now);
    const removeOldest = (excess: Excess) => runner.write(removeOldestResults, { ...excess, at: now });
    removed.push(await makeRoom(results, resultBytes, removeOldest, onError));
  }
  // What exceeded the limits was marked as expired too.
  removed.push(await removeExpiredJobs(runner, now, onError));
  removed.push(await inSteps(() => artifacts.removeExpired(now, STEP), onError));
  removed.push(await inSteps(() => runner.writeOnce(giveDiskBack, undefined), onError));
  return removed.includes(true);
}

type OnError = (error: unknown) => void;

/** The stores that are swept. */
interface Swept {
  runner: Runner;
  sealing: Sealing;
  artifacts: Artifacts;
}

/** Erases the keys of expired jobs, and the copies of erased data that SQLite still has. */
async function eraseKeys(runner: Runner, sealing: Sealing, at: number, onError: OnError): Promise<void> {
  const isErased = await inSteps(async () => (await runner.writeOnce(eraseJobKeys, { at, limit: STEP })) > 0, onError);
  sealing.hasErased ||= isErased;
  if (!sealing.hasErased) return;
  sealing.hasErased = false;
  const isDone = await runner.scrub();
  sealing.hasErased ||= !isDone;
}

/** Removes some data of a team that is marked as deleted: the given one, or else the first one. */
export async function deleteSomeTeam(
  { runner, artifacts }: Omit<Swept, 'sealing'>,
  at: number,
  which?: string,
): Promise<DeletionState> {
  const teamId = which ?? (await runner.read(findDeletedTeam, undefined));
  if (teamId === null) return 'done';
  try {
    const state = await runner.write(deleteSomeOfTeam, { teamId, at, limit: STEP });
    return state === 'artifacts' ? await artifacts.removeSomeOf(teamId, at, STEP) : state;
  } catch (error) {
    // On PostgreSQL, a scrape that was running may store its record at this moment.
    if (error instanceof ConstraintError && error.kind === 'reference') return 'more';
    throw error;
  }
}

/** Removes data of teams that exceed their share. Returns whether anything was removed. */
async function makeRoom(
  sizes: readonly TeamSize[],
  room: number,
  removeOldest: (excess: Excess) => Promise<Removed>,
  onError: OnError,
): Promise<boolean> {
  const some: boolean[] = [];
  for (const { teamId, bytes } of excessOfTeams(sizes, room)) {
    let left = bytes;
    const step = async () => {
      if (left <= 0) return false;
      const removed = await removeOldest({ teamId, bytes: left, limit: STEP });
      left -= removed.bytes;
      return removed.rows > 0;
    };
    some.push(await inSteps(step, onError));
  }
  return some.includes(true);
}

/** Skips a job that cannot be removed. */
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

/** Repeats a step until it does nothing, fails, or has run often enough. Returns whether it did anything. */
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
