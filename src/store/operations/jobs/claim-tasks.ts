import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { type Sql, sql } from '../../sql.ts';
import { Paces, takeTurn } from './paces.ts';
import { nextJobAt, nextLaneAt } from './ready.ts';
import { byIndexAlone, type JobRef, LANE_CONCURRENCY, ofJob, STATE, type TaskRole, toRole } from './rows.ts';
import {
  type LaneShare,
  nextTeam,
  type ReadyJob,
  type ReadyLane,
  type ReadyTeam,
  readyJobs,
  type Slots,
  shareOut,
  slotsOf,
} from './turns.ts';
import { lockWorker } from './workers.ts';

/** A task that is leased to one worker. */
export interface ClaimedTask extends JobRef {
  teamId: string;
  key: string;
  role: TaskRole;
  lane: number;
  payload: string;
  /** Empty for a task that contacts no host. */
  host: string;
  depth: number;
  /** The number of failed attempts so far. */
  attempts: number;
  /** The known delay in milliseconds between two tasks of this host, because it was busy. */
  hostDelay: number;
  /** The same, because of its robots.txt. */
  robotsDelay: number;
}

export interface TaskClaim {
  worker: number;
  limit: number;
  at: number;
  /** How many scrapes and tasks a team may run at the same time, by the name of its plan. Null is without a limit. */
  concurrency: Readonly<Record<string, number | null>>;
  /** The teams and jobs that already have their share of this worker: it claims no more of their tasks. */
  full: { teams: readonly string[]; jobs: readonly number[] };
}

/** A team whose scrapes hold all slots is checked again after this long: no event announces a free slot. */
const SLOT_POLL_MS = 200;

/**
 * Leases tasks of one team to a worker: of the team that was served longest ago, and within it of the jobs and lanes
 * that were served longest ago. Each gets a share, limited by its concurrency and by the pace of its host. The cost
 * does not depend on how many tasks wait: every query reads the first entries of an index. Returns no tasks if none is
 * ready, or if those that were ready turned out to have to wait; `nextReadyAt` tells the two cases apart.
 *
 * Scrapes take precedence over tasks, because a client waits for them: no task starts while both together use up the
 * plan. But every team may always run one task, so that a steady stream of scrapes cannot starve its jobs.
 *
 * @param claim `takenSlots`: slots held by scrapes, if the database does not know them
 */
export async function claimTasks(
  db: Database,
  claim: TaskClaim & { takenSlots: ReadonlyMap<string, number> | null },
): Promise<ClaimedTask[]> {
  const { worker, limit, at, concurrency, full, takenSlots } = claim;
  const [, isWorker, team] = await Promise.all([
    byIndexAlone(db),
    lockWorker(db, worker),
    nextTeam(db, at, full.teams),
  ]);
  // A worker that is gone must not claim anything: its tasks would never be handed on.
  if (!isWorker || team === null) return [];
  const slots = await slotsOf(db, team, concurrency, takenSlots);
  const least = team.running === 0 ? 1 : 0;
  const room = Math.min(limit, Math.max(slots.most - slots.taken - team.running, least));
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
  // None of these statements needs the result of another, so PostgreSQL gets them all at once, in this order.
  await Promise.all([
    ...claimed.map((task) => leaseTask(db, task, worker)),
    ...served.map((lane) => updateLane(db, lane, at)),
    paces.save(db),
    ...jobs.map((job) => updateJob(db, job, claimed, at)),
    updateTeam(db, team, claimed.length, slots, at),
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
 * The lane's first tasks. The search starts at the lane's first position: until the next vacuum, the index of
 * PostgreSQL keeps the entries of tasks that were taken before, and skipping those of 48,000 tasks reads 245 blocks
 * instead of 7.
 */
async function firstTasks(
  db: Database,
  { number, firstPosition, job }: ReadyLane,
  limit: number,
): Promise<WaitingTask[]> {
  const rows = await db.all(sql`
    select task_key, role, payload, depth, attempts, run_at, position from job_tasks
    where team = ${job.team} and lane = ${number} and state = 0 and (run_at, position) >= (0, ${firstPosition})
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
  firstPosition: number;
  delays: Delays;
}

/** The tasks that a lane may give at its paces, and when it is next ready. */
function serve({ lane, share }: LaneShare, tasks: readonly WaitingTask[], paces: Paces, at: number): ServedLane {
  const { busy, robots } = paces.of(lane);
  const gap = Math.max(busy.delay, robots.delay, lane.job.delay);
  const waitUntil = Math.max(busy.waitUntil, robots.waitUntil);
  const most = waitUntil > at ? 0 : gap > 0 ? 1 : share;
  const taken = tasks.slice(0, most).filter(({ runAt }) => runAt <= at);
  // The first task that is not taken determines when the lane is next ready. A lane that gave nothing is not checked
  // again at once.
  const nextAt = Math.max(taken.length > 0 ? at + gap : at + 1, waitUntil, tasks[taken.length]?.runAt ?? 0);
  // Other jobs of the team on this host have to wait as well.
  if (taken.length > 0) for (const pace of [busy, robots]) takeTurn(pace, at);
  const firstPosition = firstPositionAfter(lane, tasks, taken.length);
  return { lane, taken, nextAt, firstPosition, delays: { hostDelay: busy.delay, robotsDelay: robots.delay } };
}

/**
 * The position of the lane's first task after some were taken. Tasks for their first attempt come before all others.
 */
function firstPositionAfter({ firstPosition }: ReadyLane, tasks: readonly WaitingTask[], taken: number): number {
  return tasks.slice(0, taken + 1).findLast(({ runAt }) => runAt === 0)?.position ?? firstPosition;
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

async function updateLane(
  db: Database,
  { lane, taken: { length: taken }, nextAt, firstPosition }: ServedLane,
  at: number,
): Promise<void> {
  const hasNone = lane.waiting === taken || lane.running + taken >= LANE_CONCURRENCY;
  await db.run(sql`
    update job_lanes set
      waiting = waiting - ${taken}, running = running + ${taken}, ready_at = ${hasNone ? null : nextAt},
      first_place = ${firstPosition}, next_at = ${taken > 0 ? sql`${at + lane.job.delay}` : sql`next_at`}
    where team = ${lane.job.team} and number = ${lane.number}`);
}

async function updateJob(db: Database, job: ReadyJob, claimed: readonly ClaimedTask[], at: number): Promise<void> {
  const taken = claimed.filter((task) => task.job === job.job).length;
  await db.run(sql`
    update job_progress set
      waiting = waiting - ${taken}, running = running + ${taken}, served_at = ${at},
      ready_at = ${taken >= job.room ? null : nextLaneAt(job)}
    where ${ofJob(job)}`);
}

async function updateTeam(db: Database, team: ReadyTeam, claimed: number, slots: Slots, at: number): Promise<void> {
  const running = team.running + claimed;
  await db.run(sql`
    update job_teams set
      waiting = waiting - ${claimed}, running = running + ${claimed}, served_at = ${at},
      ready_at = ${running >= slots.most ? null : nextTeamAt(team, running, slots, at)}
    where number = ${team.team}`);
}

function nextTeamAt({ team }: ReadyTeam, running: number, { most, taken }: Slots, at: number): Sql {
  const next = nextJobAt(team);
  if (running + taken < most) return next;
  const pollAt = at + SLOT_POLL_MS;
  return sql`case when ${next} < ${pollAt} then ${pollAt} else ${next} end`;
}
