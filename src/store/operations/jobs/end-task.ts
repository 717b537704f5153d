import type { Database } from '../../database.ts';
import { type Sql, sql } from '../../sql.ts';
import type { Charge } from '../charges.ts';
import type { CacheRow } from '../pages.ts';
import type { NewDocument } from '../stored-document.ts';
import type { NewTask, RefusedTask } from './add-tasks.ts';
import { type JobRef, ofJob, STATE, type TaskRole } from './rows.ts';
import type { KindEvent } from './webhook-events.ts';

/** The outcome of a task. */
export type TaskEnd =
  | {
      type: 'done';
      tryId: string;
      /** The result of a main task, or the job's own result from the conclusion. */
      document: NewDocument;
      /** For the cache. */
      copy?: CacheRow | undefined;
      charge: Charge | null;
      /** The canonical address of the result. Each address gives one result in a job. */
      address?: TaskAddress | undefined;
      found: readonly NewTask[];
      refused?: readonly RefusedTask[];
      events?: readonly KindEvent[];
    }
  /** A helper is done; its findings have been added. */
  | { type: 'helped' }
  /** A failed conclusion fails the job. */
  | {
      type: 'failed';
      tryId: string;
      code: string;
      message: string;
      charge: Charge | null;
      events?: readonly KindEvent[];
    }
  /** robots.txt forbids it. */
  | { type: 'blocked' }
  /** It failed for a reason that may be temporary, and is retried at `runAt`. */
  | { type: 'again'; runAt: number }
  /** It continues at `runAt`, with a new payload if one is given. This does not count as a failed attempt. */
  | { type: 'waits'; runAt: number; payload?: string; charge: Charge | null; events?: readonly KindEvent[] }
  /** Nothing was done, through no fault of the task: it goes back unchanged. */
  | { type: 'returned'; runAt: number }
  /** Its worker is gone. */
  | { type: 'lost' };

export interface TaskAddress {
  key: string;
  payload: string;
}

/** A task and its outcome. */
export interface EndedTask extends JobRef {
  teamId: string;
  key: string;
  role: TaskRole;
  lane: number;
  end: TaskEnd;
}

/** Ends one task. Returns whether the worker still held it; if not, nothing has changed. */
export async function endTask(db: Database, worker: number, at: number, task: EndedTask): Promise<boolean> {
  const mine = sql`${ofJob(task)} and task_key = ${task.key} and state = ${STATE.leased} and worker = ${worker}`;
  return (await db.run(changeOf(task.end, at, mine))) > 0;
}

function changeOf(end: TaskEnd, at: number, mine: Sql): Sql {
  switch (end.type) {
    case 'done':
      return sql`
        update job_tasks set state = ${STATE.done}, worker = null, try_id = ${end.tryId}, finished_at = ${at}
        where ${mine}`;
    case 'helped':
      return sql`update job_tasks set state = ${STATE.done}, worker = null, finished_at = ${at} where ${mine}`;
    case 'failed':
      return sql`
        update job_tasks set
          state = ${STATE.failed}, worker = null, try_id = ${end.tryId}, finished_at = ${at},
          error_code = ${end.code}, error_message = ${end.message}
        where ${mine}`;
    case 'blocked':
      return sql`update job_tasks set state = ${STATE.blocked}, worker = null, finished_at = ${at} where ${mine}`;
    case 'again':
      return sql`
        update job_tasks set state = ${STATE.waiting}, worker = null, attempts = attempts + 1, run_at = ${end.runAt}
        where ${mine}`;
    case 'waits':
      return sql`
        update job_tasks set
          state = ${STATE.waiting}, worker = null, attempts = 0, run_at = ${end.runAt},
          payload = coalesce(${end.payload ?? null}, payload)
        where ${mine}`;
    case 'returned':
      return sql`update job_tasks set state = ${STATE.waiting}, worker = null, run_at = ${end.runAt} where ${mine}`;
    case 'lost':
      // Behind the other tasks of its lane: if it crashes every worker, they are done before.
      return sql`
        update job_tasks set state = ${STATE.waiting}, worker = null, losses = losses + 1, run_at = ${at} where ${mine}`;
  }
}

/** When a task that goes back to the queue may be claimed again; null for one that has ended. */
export function backAt(end: TaskEnd, at: number): number | null {
  if (end.type === 'again' || end.type === 'returned' || end.type === 'waits') return end.runAt;
  return end.type === 'lost' ? at : null;
}
