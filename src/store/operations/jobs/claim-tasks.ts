import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { type Sql, sql } from '../../sql.ts';
import { Paces, takeTurn } from './paces.ts';
import { nextJobAt, nextLaneAt } from './ready.ts';
import { byIndexAlone, type JobRef, LANE_CONCURRENCY, ofJob, STATE, type TaskRole, toRole } from './rows.ts';
import {
  type LaneShare,
  nextTeam,
  type Places,
  placesOf,
  type ReadyJob,
  type ReadyLane,
  type ReadyTeam,
  readyJobs,
  shareOut,
} from './turns.ts';
import { staysWorker } from './workers.ts';

/** A task that a worker has to itself until its lease is over. */
export interface ClaimedTask extends JobRef {
  teamId: string;
  key: string;
  role: TaskRole;
  lane: number;
  payload: string;
  /** Empty for a task that asks no host. */
  host: string;
  depth: number;
  /** How often it was tried and failed before. */
  attempts: number;
  /** Milliseconds between two tasks of this host, as far as known: because it was busy. */
  hostDelay: number;
  /** The same because of its robots.txt. */
  robotsDelay: number;
}

export interface TaskClaim {
  worker: number;
  limit: number;
  at: number;
  /** How many scrapes and tasks a team may have under way, by the name of its plan. Null is without a limit. */
  concurrency: Readonly<Record<string, number | null>>;
  /** Those that have their share of this worker already: it takes no more of theirs. */
  full: { teams: readonly string[]; jobs: readonly number[] };
}

/** A team whose scrapes have all places is looked at again after this long: nobody tells when one is left. */
const PLACES_LOOK_MS = 200;

/**
 * Hands tasks of one team to a worker: of the team that was served the longest ago, of some of its jobs that were, of
 * their lanes that were. Each gets a share, and none more than its concurrency and its host's pace allow. What it costs
 * does not depend on how many tasks wait: everything is found by the first entries of an index. Gives none when nothing
 * is ready, or when what was ready turned out to have to wait; `nextReadyAt` tells the two apart.
 *
 * Tasks give way to scrapes, for which somebody waits: none begins while both together fill the plan. But one task of a
 * team runs at any time, so that scrapes that never end starve no job.
 *
 * @param claim `takenPlaces`: by scrapes, where the database does not know
 */
export async function claimTasks(
  db: Database,
  claim: TaskClaim & { takenPlaces: ReadonlyMap<string, number> | null },
): Promise<ClaimedTask[]> {
  const { worker, limit, at, concurrency, full, takenPlaces } = claim;
  const [, isWorker, team] = await Promise.all([
    byIndexAlone(db),
    staysWorker(db, worker),
    nextTeam(db, at, full.teams),
  ]);
  // What somebody took who is no worker any more would be nobody's to hand on.
  if (!isWorker || team === null) return [];
  const places = await placesOf(db, team, concurrency, takenPlaces);
  const least = team.running === 0 ? 1 : 0;
  const room = Math.min(limit, Math.max(places.most - places.taken - team.running, least));
  const jobs = room > 0 ? await readyJobs(db, team.team, at, full.jobs) : [];
  const shares = await shareOut(db, jobs, room, at);
  const paces = await Paces.read(
    db,
    shares.map(({ lane }) => lane),
    at,
  );
  const first = await Promise.all(shares.map(({ lane, share }) => firstTasks(db, lane, share + 1)));
  const served = shares.map((share, index) => serve(share, first[index] ?? [], paces, at));

  const claimed = served.flatMap(({ lane, taken, delays }) => taken.map((task) => toClaimed(team, lane, task, delays)));
  // None waits for another but in the order in which they are sent: PostgreSQL gets them in one go.
  await Promise.all([
    ...claimed.map((task) => leaseTask(db, task, worker)),
    ...served.map((lane) => settleLane(db, lane, at)),
    paces.settle(db),
    ...jobs.map((job) => settleJob(db, job, claimed, at)),
    settleTeam(db, team, claimed.length, places, at),
  ]);
  return claimed;
}

interface WaitingTask {
  key: string;
  role: TaskRole;
  payload: string;
  depth: number;
  attempts: number;
  /** 0 for the first try. */
  runAt: number;
  position: number;
}

/**
 * From where the lane's tasks begin: the index of PostgreSQL keeps what was taken before until the next vacuum, and to
 * pass over the entries of 48,000 tasks is to read 245 blocks of it instead of 7.
 */
async function firstTasks(db: Database, { number, firstPlace, job }: ReadyLane, limit: number): Promise<WaitingTask[]> {
  const rows = await db.all(sql`
    select task_key, role, payload, depth, attempts, run_at, position from job_tasks
    where team = ${job.team} and lane = ${number} and state = 0 and (run_at, position) >= (0, ${firstPlace})
    order by run_at, position limit ${limit}`);
  return rows.map((row) => ({
    key: text(row.task_key),
    role: toRole(row.role),
    payload: text(row.payload),
    depth: integer(row.depth),
    attempts: integer(row.attempts),
    runAt: integer(row.run_at),
    position: integer(row.position),
  }));
}

interface Delays {
  hostDelay: number;
  robotsDelay: number;
}

interface ServedLane {
  lane: ReadyLane;
  taken: readonly WaitingTask[];
  nextAt: number;
  firstPlace: number;
  delays: Delays;
}

/** What a lane gives, as far as its paces allow, and when it is next ready. */
function serve({ lane, share }: LaneShare, tasks: readonly WaitingTask[], paces: Paces, at: number): ServedLane {
  const { busy, robots } = paces.of(lane);
  const gap = Math.max(busy.delay, robots.delay, lane.job.delay);
  const waitUntil = Math.max(busy.waitUntil, robots.waitUntil);
  const most = waitUntil > at ? 0 : gap > 0 ? 1 : share;
  const taken = tasks.slice(0, most).filter(({ runAt }) => runAt <= at);
  // The task after them tells when the lane is next ready. One that had nothing to give is not looked at again at once.
  const nextAt = Math.max(taken.length > 0 ? at + gap : at + 1, waitUntil, tasks[taken.length]?.runAt ?? 0);
  // Another job of the team on this host waits its turn.
  if (taken.length > 0) for (const pace of [busy, robots]) takeTurn(pace, at);
  const firstPlace = firstPlaceAfter(lane, tasks, taken.length);
  return { lane, taken, nextAt, firstPlace, delays: { hostDelay: busy.delay, robotsDelay: robots.delay } };
}

/** Where the lane begins when some of its first tasks are taken: tasks for their first try stand before all others. */
function firstPlaceAfter({ firstPlace }: ReadyLane, tasks: readonly WaitingTask[], taken: number): number {
  return tasks.slice(0, taken + 1).findLast(({ runAt }) => runAt === 0)?.position ?? firstPlace;
}

function toClaimed(
  { id, team }: ReadyTeam,
  { number: lane, host, job: { job } }: ReadyLane,
  { runAt: _, position: __, ...task }: WaitingTask,
  delays: Delays,
): ClaimedTask {
  return { ...task, teamId: id, team, job, lane, host, ...delays };
}

async function leaseTask(db: Database, task: ClaimedTask, worker: number): Promise<void> {
  await db.run(sql`
    update job_tasks set state = ${STATE.leased}, worker = ${worker} where ${ofJob(task)} and task_key = ${task.key}`);
}

async function settleLane(
  db: Database,
  { lane, taken: { length: taken }, nextAt, firstPlace }: ServedLane,
  at: number,
): Promise<void> {
  const hasNone = lane.waiting === taken || lane.running + taken >= LANE_CONCURRENCY;
  await db.run(sql`
    update job_lanes set
      waiting = waiting - ${taken}, running = running + ${taken}, ready_at = ${hasNone ? null : nextAt},
      first_place = ${firstPlace}, next_at = ${taken > 0 ? sql`${at + lane.job.delay}` : sql`next_at`}
    where team = ${lane.job.team} and number = ${lane.number}`);
}

async function settleJob(db: Database, job: ReadyJob, claimed: readonly ClaimedTask[], at: number): Promise<void> {
  const taken = claimed.filter((task) => task.job === job.job).length;
  await db.run(sql`
    update job_progress set
      waiting = waiting - ${taken}, running = running + ${taken}, served_at = ${at},
      ready_at = ${taken >= job.room ? null : nextLaneAt(job)}
    where ${ofJob(job)}`);
}

async function settleTeam(db: Database, team: ReadyTeam, claimed: number, places: Places, at: number): Promise<void> {
  const running = team.running + claimed;
  await db.run(sql`
    update job_teams set
      waiting = waiting - ${claimed}, running = running + ${claimed}, served_at = ${at},
      ready_at = ${running >= places.most ? null : nextTeamAt(team, running, places, at)}
    where number = ${team.team}`);
}

function nextTeamAt({ team }: ReadyTeam, running: number, { most, taken }: Places, at: number): Sql {
  const next = nextJobAt(team);
  if (running + taken < most) return next;
  const lookAt = at + PLACES_LOOK_MS;
  return sql`case when ${next} < ${lookAt} then ${lookAt} else ${next} end`;
}
