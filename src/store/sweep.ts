import { idBefore } from '../clock.ts';
import { ConstraintError } from './constraint-error.ts';
import type { Operation, Runner } from './database.ts';
import { excessOfTeams } from './fair-share.ts';
import { type DeletionState, deleteSomeOfTeam, findDeletedTeam } from './operations/delete-team.ts';
import { foldRevokedKeys, foldUsageDays } from './operations/fold.ts';
import { giveDiskBack } from './operations/give-disk-back.ts';
import { removeExpiredJob, removeOldHosts } from './operations/jobs/remove-jobs.ts';
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
  removeOldPlaces,
  removeOldReservations,
} from './operations/remove-by-time.ts';

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
 * other writes in between. Resolves with whether more is left.
 */
export async function sweep(runner: Runner, limits: SweepLimits): Promise<boolean> {
  const { now, cacheBytes, resultBytes, ledgerMs, activityMs } = limits;
  const remove = <Which>(operation: Operation<Which & { limit: number }, number>, which: Which, limit = STEP) =>
    inSteps(async () => (await runner.write(operation, { ...which, limit })) === limit);

  // What limits counted goes a day after its end, and so do the shards of a day: no clock is that wrong.
  const before = now - DAY_MS;
  const day = Math.floor(before / DAY_MS);
  const more = [
    await inSteps(async () => (await deleteSomeTeam(runner, now)) === 'more'),
    await remove(removeExpiredScrapes, { at: now }),
    await remove(removeOldPages, { storedBefore: now - CACHE_MS }),
    await remove(removeOldHosts, { before }),
    await remove(removeOldReservations, { at: now }),
    await remove(removeKeylessDays, { day }),
    await remove(removeEndedWindows, { before }),
    await remove(removeOldPlaces, { before }),
    await remove(foldUsageDays, { day }),
  ];
  if (ledgerMs !== undefined) more.push(await remove(removeOldCharges, { beforeId: idBefore(now - ledgerMs) }));
  if (activityMs !== undefined) {
    more.push(await remove(removeOldActivity, { beforeId: idBefore(now - activityMs) }));
    more.push(await remove(foldRevokedKeys, { revokedBefore: now - activityMs }, KEYS_STEP));
  }

  // Nothing has to be added up while all of the store is smaller than the room. To add up changes nothing, but on SQLite
  // it is done where writes are, because it takes its time.
  const bytes = await runner.read(measureStore, undefined);
  if (bytes > cacheBytes) {
    const caches = await runner.writeOnce(measureCaches, undefined);
    more.push(await makeRoom(caches, cacheBytes, (excess) => runner.write(removeOldestPages, excess)));
  }
  if (resultBytes !== undefined && bytes > resultBytes) {
    const results = await runner.writeOnce(measureResults, now);
    const removeOldest = (excess: Excess) => runner.write(removeOldestResults, { ...excess, at: now });
    more.push(await makeRoom(results, resultBytes, removeOldest));
  }
  // Those that had to make room have expired too.
  more.push(await inSteps(() => runner.write(removeExpiredJob, { at: now, limit: STEP })));
  more.push(await inSteps(() => runner.writeOnce(giveDiskBack, undefined)));
  return more.includes(true);
}

/** Removes some of a team that is marked as deleted: of the one that is named, else of the first one. */
export async function deleteSomeTeam(runner: Runner, at: number, which?: string): Promise<DeletionState> {
  const teamId = which ?? (await runner.read(findDeletedTeam, undefined));
  if (teamId === null) return 'done';
  try {
    return await runner.write(deleteSomeOfTeam, { teamId, at, limit: STEP });
  } catch (error) {
    // On PostgreSQL, when a scrape that was under way stores its record in this moment.
    if (error instanceof ConstraintError && error.kind === 'reference') return 'more';
    throw error;
  }
}

/** Has teams give up what is over their share. Resolves with whether more is left to give up. */
async function makeRoom(
  sizes: readonly TeamSize[],
  room: number,
  removeOldest: (excess: Excess) => Promise<Removed>,
): Promise<boolean> {
  const more: boolean[] = [];
  for (const { teamId, bytes } of excessOfTeams(sizes, room)) {
    let left = bytes;
    more.push(
      await inSteps(async () => {
        const removed = await removeOldest({ teamId, bytes: left, limit: STEP });
        left -= removed.bytes;
        return removed.rows > 0 && left > 0;
      }),
    );
  }
  return more.includes(true);
}

/** Does a step again while it says that there is more. Resolves with whether there still is after the last one. */
async function inSteps(step: () => Promise<boolean>): Promise<boolean> {
  for (let count = 0; count < STEPS; count++) {
    if (!(await step())) return false;
  }
  return true;
}
