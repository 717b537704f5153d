import { newId } from '../../../clock.ts';
import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { type JobRef, LANE_CONCURRENCY, listed, NO_HOST, ofJob, ROLE, STATE, type TaskRole } from './rows.ts';
import { countShapes, type TaskShape } from './task-shapes.ts';

export interface NewTask {
  /** A main task when left out. */
  role?: TaskRole;
  /** Of a job no key comes twice. Null: as many times as it is given. */
  key: string | null;
  /** What its kind needs to work on it. Of a page it is the address. */
  payload: string;
  /** What is asked politely as one: host and port. Null for a task that asks nobody. */
  host: string | null;
  /** Steps between the start of the job and here. Of a page: links. */
  depth: number;
  /** Counted when the page is added. */
  shape?: TaskShape | null;
}

/** A task that will not be worked on, for the error report. */
export interface RefusedTask {
  key: string;
  payload: string;
  /** Names it in the report. */
  tryId: string;
  /** Null: robots.txt forbids it. */
  error: { code: string; message: string } | null;
}

/** How many may still be added. Null is as many as come. */
export interface Room {
  main: number | null;
  helpers: number;
  /** Of both together: what the team may have wait. */
  inQueue: number | null;
}

export interface Added {
  main: number;
  helpers: number;
  /** The payload of the first one that is new and would have been added, had there been room in the queue; null when none was left out. */
  leftOut: string | null;
}

/** Tasks that were not even tried are reported up to here: a site can have any number of them. */
const MOST_REFUSED = 1_000;

/**
 * Adds what was found to a job, as far as there is room and without those whose key is there, and opens their lanes. Tells
 * how many were added. The counters of job and team are the caller's to change.
 *
 * @param position of the first one: within a host those with a lower one go first
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
      const place = position + index;
      const key = task.key ?? keyOfPlace(place);
      return [key, { task, values: [key, task.payload, lanes.get(laneOf(task)) ?? null, task.depth, place] }];
    }),
  );
  // What is there already takes no room. Asked by a value and not by a join, which could be planned on a small table.
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
 * Keys in the order of the places, so that tasks that are claimed together stand together: with five million waiting on
 * SQLite, a claim of 16 and its completion write 43 pages of the file, and 68 with keys such as 16, 160, 1600.
 */
function keyOfPlace(place: number): string {
  return String(place).padStart(8, '0');
}

/** Opens these lanes, and counts more tasks into them, none below the position. Gives the number of each. */
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

/** Reports tasks that will not be worked on, the first thousand of a job. */
export async function addRefused(db: Database, { at, refused, ...ref }: Refusals): Promise<void> {
  if (refused.length === 0) return;
  const reported = await db.all(sql`
    select 1 from job_tasks where ${ofJob(ref)} and state >= ${raw(String(STATE.failed))} limit ${MOST_REFUSED}`);
  await report(db, { ...ref, at, refused: refused.slice(0, MOST_REFUSED - reported.length) });
}

/** Reports that tasks were left out because there was no room for them in the queue: once for a job, with the first one. */
export async function addQueueFull(
  db: Database,
  { leftOut, queuedTasks, ...ref }: JobRef & { at: number; leftOut: string; queuedTasks: number },
): Promise<void> {
  const message = `Pages were left out, this one first: so many pages waited that there was no room for them (${queuedTasks} by the plan when the job began). One that another page led to later was taken then.`;
  const error = { code: 'QUEUE_FULL', message };
  await report(db, { ...ref, refused: [{ key: 'problem queue', payload: leftOut, tryId: newId(), error }] });
}

interface Refusals extends JobRef {
  at: number;
  refused: readonly RefusedTask[];
}

/** One that is known already stays as it is. */
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

/** Takes for done what has been delivered under another address already, so that no link leads there again. */
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
