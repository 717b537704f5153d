import type { Database } from '../../database.ts';
import { integer, nullable } from '../../row.ts';
import { sql } from '../../sql.ts';
import { type Added, addRefused, addTasks, type NewTask, type RefusedTask } from './add-tasks.ts';
import { lockTeam } from './ready.ts';
import { byIndexAlone, type JobRef, ofJob } from './rows.ts';

export interface Work extends JobRef {
  tasks: readonly NewTask[];
  /** How many more tasks of the team may wait; null is without a limit. */
  inQueue: number | null;
  at: number;
}

/** Adds tasks to a running job as far as there is room, and counts them for the job and the team. */
export async function addWork(db: Database, { team, job, tasks, inQueue, at }: Work): Promise<Added> {
  const ref = { team, job };
  const [row] = await db.all(sql`select total, task_room, helper_room from job_progress where ${ofJob(ref)}`);
  const taskRoom = nullable(integer)(row?.task_room ?? null);
  const room = { main: taskRoom, helpers: integer(row?.helper_room), inQueue };
  const added = await addTasks(db, { ...ref, at, tasks, position: integer(row?.total), room });
  const more = added.main + added.helpers;
  await db.run(sql`
    update job_progress set
      total = total + ${added.main}, waiting = waiting + ${more},
      task_room = task_room - ${added.main}, helper_room = helper_room - ${added.helpers},
      ready_at = case when running >= max_concurrency then null when ready_at < ${at} then ready_at else ${at} end
    where ${ofJob(ref)}`);
  await db.run(sql`
    update job_teams set
      waiting = waiting + ${more}, ready_at = case when ready_at < ${at} then ready_at else ${at} end
    where number = ${team}`);
  return added;
}

export interface Discovery extends JobRef {
  teamId: string;
  found: readonly NewTask[];
  refused: readonly RefusedTask[];
  at: number;
}

/** Whether there is room for more: some, none for the rest of the job, or none until tasks of the team are done. */
export type RoomLeft = 'some' | 'none' | 'queue full';

/**
 * Adds what a running task has found so far. Repeating it changes nothing. Returns whether there is room for more; a
 * job that has ended has none. If the queue is full, some tasks were left out and should be added later.
 */
export async function addFound(db: Database, { teamId, team, job, found, refused, at }: Discovery): Promise<RoomLeft> {
  const [, { waiting }] = await Promise.all([byIndexAlone(db), lockTeam(db, teamId)]);
  const [before] = await db.all(sql`
    select job_progress.status, jobs.queued_tasks
    from job_progress join jobs on jobs.team = job_progress.team and jobs.number = job_progress.job
    where job_progress.team = ${team} and job_progress.job = ${job}`);
  if (before?.status !== 'scraping') return 'none';
  const inQueue = roomInQueue(nullable(integer)(before.queued_tasks), waiting);
  const { leftOut } = await addWork(db, { team, job, tasks: found, inQueue, at });
  await addRefused(db, { team, job, at, refused });
  if (leftOut !== null) return 'queue full';
  const [after] = await db.all(sql`select task_room from job_progress where team = ${team} and job = ${job}`);
  return nullable(integer)(after?.task_room ?? null) === 0 ? 'none' : 'some';
}

/** How many more tasks of a team may wait; null is without a limit. */
export function roomInQueue(queuedTasks: number | null, waiting: number): number | null {
  return queuedTasks === null ? null : Math.max(0, queuedTasks - waiting);
}
