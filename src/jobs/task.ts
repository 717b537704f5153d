import type { TrawlError } from '../errors.ts';
import type { Compressed } from '../store/compression.ts';
import type { Charge } from '../store/operations/charges.ts';
import type { NewTask, RefusedTask } from '../store/operations/jobs/add-tasks.ts';
import type { TaskAddress } from '../store/operations/jobs/end-task.ts';
import type { TaskRole } from '../store/operations/jobs/rows.ts';
import type { KindEvent } from '../store/operations/jobs/webhook-events.ts';
import type { CacheRow } from '../store/operations/pages.ts';

/** A task as its worker sees it. */
export interface JobTask {
  /** Identifies this try of the task. */
  tryId: string;
  key: string;
  role: TaskRole;
  /** Set by the kind. For a page it is the address; for the conclusion it is empty. */
  payload: string;
  /** Steps between the start of the job and this task. */
  depth: number;
  /** Number of failed tries before this one. */
  attempts: number;
  /** Milliseconds between two tasks of its host because the host was busy, as known when the task was claimed. */
  hostDelay: number;
  /** The same because of the host's robots.txt. */
  robotsDelay: number;
  job: TaskJob;
}

/** The job that a task belongs to. */
export interface TaskJob {
  team: number;
  job: number;
  id: string;
  teamId: string;
  keyId: string | null;
  taskCredits: number;
  /** JSON, as the capability wrote it. */
  options: string;
}

/** Milliseconds between two tasks, as the robots.txt demands of crawlers with this name. */
export interface RobotsPace {
  agent: string;
  delay: number;
}

export type LearnedPace =
  | ({ type: 'robots' } & RobotsPace)
  /** The host was busy, and can serve a task every so many milliseconds. */
  | { type: 'bears'; delay: number };

/** The outcome of a task. Everything else is thrown: a failure of the target as a TrawlError. */
export type TaskOutcome =
  | {
      type: 'done';
      /** JSON: the result of a main task, or the job's own result from the conclusion. */
      document: Compressed;
      /** For the cache. */
      copy?: CacheRow | undefined;
      charge: Charge | null;
      found: readonly NewTask[];
      /** The canonical address of the result. Each address gives one result in a job. */
      address?: TaskAddress;
      /** Links found on the page that will not be followed. */
      refused?: readonly RefusedTask[];
      /** The host can be asked more quickly than until now. */
      pace?: LearnedPace | undefined;
      /** Webhook events that the kind sends besides the usual ones. */
      events?: readonly KindEvent[];
    }
  /** A helper is done; its findings have been added. */
  | { type: 'helped' }
  /** The task failed for good. A failed conclusion fails the job. */
  | { type: 'failed'; error: TrawlError; charge: Charge | null; events?: readonly KindEvent[] }
  /** The task continues at `runAt`, and holds no slot until then. `payload` is its progress. */
  | { type: 'waits'; runAt: number; payload?: string; charge: Charge | null; events?: readonly KindEvent[] }
  /** robots.txt forbids the page. */
  | { type: 'blocked' }
  /** The robots.txt demands a slower pace: tasks go back to the queue, and come at that pace. */
  | ({ type: 'slow down' } & RobotsPace);

/** Works on tasks of one kind of job, until the signal is aborted. */
export type RunTask = (task: JobTask, signal: AbortSignal) => Promise<TaskOutcome>;
