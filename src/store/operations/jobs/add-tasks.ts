import { newId } from '../../../clock.ts';
import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { type JobRef, LANE_CONCURRENCY, listed, NO_HOST, ofJob, ROLE, STATE, type TaskRole } from './rows.ts';
import { countShapes, type TaskShape } from './task-shapes.ts';

export interface NewTask {
  /** A main task by default. */
  role?: TaskRole;
  /** Unique within a job. Null: always a new task. */
  key: string | null;
  /** What the kind needs to work on the task. For a page it is the address. */
  payload: string;
  /** The unit of politeness: host and port. Null for a task that contacts no host. */
  host: string | null;
  /** Steps between the start of the job and this task. For pages: links. */
  depth: number;
  /** Counted when the page is added. */
  shape?: TaskShape | null;
}

/** A task that will not be worked on, for the error report. */
export interface RefusedTask {
  key: string;
  payload: string;
  /** Identifies it in the report. */
  tryId: string;
  /** Null if robots.txt forbids it. */
  error: { code: string; message: string } | null;
}

/** How many tasks may still be added. Null is without a limit. */
export interface Room {
  main: number | null;
  helpers: number;
  /** For main tasks and helpers together: how many more tasks of the team may wait. */
  inQueue: number | null;
}

export interface Added {
  main: number;
  helpers: number;
  /** The payload of the first new task for which only the queue had no room; null if there was none. */
  leftOut: string | null;
}

/** The most tasks of a job that are reported without being tried: a site can have any number of them. */
const MAX_REFUSED = 1_000;

/**
 * Adds tasks to a job as far as there is room, skips known keys, and opens lanes for the tasks. Returns how many were
 * added. The caller updates the counters of job and team.
 *
 * @param position of the first task: within a host, lower positions go first
 */
export async function addTasks(
  db: Database,
  work: JobRef & { at: number; tasks: readonly NewTask[]; position: number; room: Room },
): Promise<Added> {
  const { team, job, at, position, room } = work;
  const byRole = Map.groupBy(work.tasks, ({ role }) => role ?? 'main');
  let inQueue = room.inQueue ?? Number.POSITIVE_INFINITY;
  let leftOut: string | null = null;
  const add = async (role: TaskRole, ofRole: number) => {
    const tasks = byRole.get(role) ?? [];
    const most = Math.min(ofRole, inQueue, tasks.length);
    const added = most === 0 ? 0 : await addOfRole(db, { team, job, at, role, tasks, position, most });
    const isQueueFull = added === inQueue && added < ofRole && added < tasks.length;
    if (isQueueFull) leftOut ??= await firstUnknown(db, { team, job }, tasks);
    inQueue -= added;
    return added;
  };
  const main = await add('main', room.main ?? Number.POSITIVE_INFINITY);
  const helpers = await add('helper', room.helpers);
  return { main, helpers, leftOut };
}

/** Adds the conclusion of a job, whose other tasks have all ended. */
export async function addConclusion(
  db: Database,
  { team, job }: JobRef,
  { at, position }: { at: number; position: number },
): Promise<void> {
  const conclusion: NewTask = { role: 'conclusion', key: 'conclusion', payload: '', host: null, depth: 0 };
  await addOfRole(db, { team, job, at, role: 'conclusion', tasks: [conclusion], position, most: 1 });
}

/** The payload of the first task that the job does not have; null when it has all of them. */
async function firstUnknown(db: Database, ref: JobRef, tasks: readonly NewTask[]): Promise<string | null> {
  const [row] = await db.all(sql`
    select value->>1 as payload from ${listed(
      db,
      tasks.map(({ key, payload }) => [key, payload]),
    )}
    where (select 1 from job_tasks where ${ofJob(ref)} and task_key = value->>0) is null limit 1`);
  return row === undefined ? null : text(row.payload);
}

interface NewOfRole extends JobRef {
  at: number;
  role: TaskRole;
  tasks: readonly NewTask[];
  position: number;
  most: number;
}

async function addOfRole(db: Database, work: NewOfRole): Promise<number> {
  const { team, job, at, role, tasks, position, most } = work;
  const none = new Map(tasks.map((task) => [laneOf(task), 0]));
  const lanes = await fillLanes(db, { team, job, at, position }, none);
  const rows = new Map(
    tasks.map((task, index) => {
      const ownPosition = position + index;
      const key = task.key ?? positionKey(ownPosition);
      return [key, { task, values: [key, task.payload, lanes.get(laneOf(task)) ?? null, task.depth, ownPosition] }];
    }),
  );
  // Known tasks take no room. A subquery and not a join, which PostgreSQL might plan for a small table.
  const added = await db.all(sql`
    insert into job_tasks (team, job, task_key, payload, lane, depth, position, role, state, run_at, attempts, losses)
    select
      ${team}, ${job}, value->>0, value->>1, cast(value->>2 as bigint), cast(value->>3 as bigint),
      cast(value->>4 as bigint), ${ROLE[role]}, 0, 0, 0, 0
    from ${listed(
      db,
      [...rows.values()].map(({ values }) => values),
    )}
    where (select 1 from job_tasks where ${ofJob(work)} and task_key = value->>0) is null
    order by cast(value->>4 as bigint)
    limit ${most}
    on conflict (team, job, task_key) do nothing
    returning task_key`);
  if (added.length === 0) return 0;

  const addedTasks = added.flatMap((row) => rows.get(text(row.task_key))?.task ?? []);
  const counts = new Map<string, number>();
  for (const task of addedTasks) counts.set(laneOf(task), (counts.get(laneOf(task)) ?? 0) + 1);
  await fillLanes(db, { team, job, at, position }, counts);
  await countShapes(
    db,
    { team, job },
    addedTasks.flatMap(({ shape }) => shape ?? []),
  );
  return added.length;
}

function laneOf({ host }: NewTask): string {
  return host ?? NO_HOST;
}

/**
 * Keys in the order of positions, so that tasks that are claimed together are stored together. With five million
 * waiting tasks on SQLite, a claim of 16 and its completion write 43 pages of the file; with keys such as 16, 160, 1600
 * they write 68.
 */
function positionKey(position: number): string {
  return String(position).padStart(8, '0');
}

/**
 * Opens these lanes and adds to their waiting tasks, none of which is before `position`. Returns the number of each
 * lane.
 */
async function fillLanes(
  db: Database,
  { team, job, at, position }: JobRef & { at: number; position: number },
  tasks: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const rows = await db.all(sql`
    insert into job_lanes (team, job, host, waiting, running, ready_at, first_place)
    select ${team}, ${job}, value->>0, cast(value->>1 as bigint), 0, null, cast(${position} as bigint)
    from ${listed(db, [...tasks])} where true
    on conflict (team, job, host) do update set
      waiting = job_lanes.waiting + excluded.waiting,
      first_place = case
        when job_lanes.first_place < excluded.first_place then job_lanes.first_place else excluded.first_place
      end,
      ready_at = case
        when job_lanes.waiting + excluded.waiting = 0 or job_lanes.running >= ${LANE_CONCURRENCY} then null
        when job_lanes.ready_at < ${at} then job_lanes.ready_at
        when job_lanes.next_at > ${at} then job_lanes.next_at
        else ${at}
      end
    returning host, number`);
  return new Map(rows.map((row) => [text(row.host), integer(row.number)]));
}

/** Reports tasks that will not be worked on, up to the maximum per job. */
export async function addRefused(db: Database, { at, refused, ...ref }: Refusals): Promise<void> {
  if (refused.length === 0) return;
  const reported = await db.all(sql`
    select 1 from job_tasks where ${ofJob(ref)} and state >= ${raw(String(STATE.failed))} limit ${MAX_REFUSED}`);
  await report(db, { ...ref, at, refused: refused.slice(0, MAX_REFUSED - reported.length) });
}

/** Reports that tasks were left out because the queue was full: once per job, naming the first one. */
export async function addQueueFull(
  db: Database,
  { leftOut, queuedTasks, ...ref }: JobRef & { at: number; leftOut: string; queuedTasks: number },
): Promise<void> {
  const message = `The queue was full, so pages were left out, beginning with this one. The plan allowed ${queuedTasks} waiting pages when the job began. A page that was found again later may have been scraped after all.`;
  const error = { code: 'QUEUE_FULL', message };
  await report(db, { ...ref, refused: [{ key: 'problem queue', payload: leftOut, tryId: newId(), error }] });
}

interface Refusals extends JobRef {
  at: number;
  refused: readonly RefusedTask[];
}

/** Known keys stay as they are. */
async function report(db: Database, { team, job, at, refused }: Refusals): Promise<void> {
  const rows = refused.map(({ key, payload, tryId, error }) => [
    key,
    payload,
    error === null ? STATE.blocked : STATE.failed,
    error === null ? null : tryId,
    error?.code ?? null,
    error?.message ?? null,
  ]);
  if (rows.length === 0) return;
  await db.run(sql`
    insert into job_tasks (
      team, job, task_key, payload, state, try_id, error_code, error_message, finished_at,
      role, lane, depth, position, run_at, attempts, losses
    )
    select
      ${team}, ${job}, value->>0, value->>1, cast(value->>2 as bigint), value->>3, value->>4, value->>5, ${at},
      0, 0, 0, 0, 0, 0, 0
    from ${listed(db, rows)} where true
    on conflict (team, job, task_key) do nothing`);
}

/**
 * Marks addresses as done whose content was already delivered under another address, so that no link leads there again.
 */
export async function addAliases(
  db: Database,
  { team, job, at, tasks }: JobRef & { at: number; tasks: readonly { key: string; payload: string }[] },
): Promise<void> {
  if (tasks.length === 0) return;
  await db.run(sql`
    insert into job_tasks (
      team, job, task_key, payload, state, finished_at, role, lane, depth, position, run_at, attempts, losses
    )
    select ${team}, ${job}, value->>0, value->>1, ${STATE.done}, ${at}, 0, 0, 0, 0, 0, 0, 0
    from ${listed(
      db,
      tasks.map(({ key, payload }) => [key, payload]),
    )} where true
    on conflict (team, job, task_key) do nothing`);
}
