import { idBefore } from '../clock.ts';
import type { Artifacts } from './artifacts/artifacts.ts';
import { ConstraintError } from './constraint-error.ts';
import type { Operation, Runner } from './database.ts';
import { excessOfTeams } from './fair-share.ts';
import { measureArtifacts } from './operations/artifacts.ts';
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

/** How much is kept for how long. Without a limit, everything is kept. */
export interface SweepLimits {
  /** Milliseconds since the epoch. */
  now: number;
  /** Room for cached pages, as they are stored: compressed. */
  cacheBytes: number;
  /** Room for results, as they are stored. */
  resultBytes?: number;
  /** How long entries of the ledger are kept. */
  ledgerMs?: number;
  /** How long the activity log goes back, and how long a revoked key has a row of its own. */
  activityMs?: number;
}

const DAY_MS = 24 * 3_600_000;
/** A copy that nobody would take: "maxAge" is two days unless the caller says otherwise. */
const CACHE_MS = 30 * DAY_MS;

/** Rows removed in one write: 100 pages of 40 KB hold other writes up for 5 ms. */
const STEP = 100;
/** Steps of one kind in one sweep. */
const STEPS = 20;
/** Each reads all sums of its team. */
const KEYS_STEP = 5;

/**
 * Removes what is over its time or has no room, and gives disk back: a bounded amount of each, in small steps that let
 * other writes in between. What cannot be removed does not keep the rest.
 *
 * @param onError is called with what the store refuses to remove
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

  // First, because the rest can take long: what is not removed yet cannot be read any more.
  await eraseKeys(runner, sealing, now, onError);
  // What limits counted goes a day after its end, and so do the shards of a day: no clock is that wrong.
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
    removed.push(await remove(foldRevokedKeys, { revokedBefore: now - activityMs }, KEYS_STEP));
  }

  // Nothing has to be added up while all of the store is smaller than the room. To add up changes nothing, but on SQLite
  // it is done where writes are, because it takes its time.
  const stored = await runner.read(measureStore, undefined);
  if (stored > cacheBytes) {
    const caches = await runner.writeOnce(measureCaches, undefined);
    const removeOldest = (excess: Excess) => runner.write(removeOldestPages, excess);
    removed.push(await makeRoom(caches, cacheBytes, removeOldest, onError));
  }
  // Artifacts may be in the database or beside it.
  const bytes = stored + (await runner.writeOnce(measureArtifacts, undefined));
  if (resultBytes !== undefined && bytes > resultBytes) {
    const results = await runner.writeOnce(measureResults, now);
    const removeOldest = (excess: Excess) => runner.write(removeOldestResults, { ...excess, at: now });
    removed.push(await makeRoom(results, resultBytes, removeOldest, onError));
  }
  // Those that had to make room have expired too.
  removed.push(await removeExpiredJobs(runner, now, onError));
  removed.push(await inSteps(() => artifacts.removeExpired(now, STEP), onError));
  removed.push(await inSteps(() => runner.writeOnce(giveDiskBack, undefined), onError));
  return removed.includes(true);
}

type OnError = (error: unknown) => void;

/** Where it removes. */
interface Swept {
  runner: Runner;
  sealing: Sealing;
  artifacts: Artifacts;
}

/** Erases the keys of jobs that are over their time, and the copies of what was erased that SQLite still has. */
async function eraseKeys(runner: Runner, sealing: Sealing, at: number, onError: OnError): Promise<void> {
  const isErased = await inSteps(async () => (await runner.writeOnce(eraseJobKeys, { at, limit: STEP })) > 0, onError);
  sealing.hasErased ||= isErased;
  if (!sealing.hasErased) return;
  sealing.hasErased = false;
  const isDone = await runner.scrub();
  sealing.hasErased ||= !isDone;
}

/** Removes some of a team that is marked as deleted: of the one that is named, else of the first one. */
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
    // On PostgreSQL, when a scrape that was under way stores its record in this moment.
    if (error instanceof ConstraintError && error.kind === 'reference') return 'more';
    throw error;
  }
}

/** Has teams give up what is over their share. Tells whether anything was removed. */
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
