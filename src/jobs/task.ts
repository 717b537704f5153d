import type { TrawlError } from '../errors.ts';
import type { Compressed } from '../store/compression.ts';
import type { Charge } from '../store/operations/charges.ts';
import type { NewTask, RefusedTask } from '../store/operations/jobs/add-tasks.ts';
import type { TaskAddress } from '../store/operations/jobs/end-task.ts';
import type { TaskRole } from '../store/operations/jobs/rows.ts';
import type { KindEvent } from '../store/operations/jobs/webhook-events.ts';
import type { CacheRow } from '../store/operations/pages.ts';

/** A task as whoever works on it sees it. */
export interface JobTask {
  /** Of this try of the task. */
  tryId: string;
  key: string;
  role: TaskRole;
  /** What its kind put there. Of a page it is the address; of the conclusion it is empty. */
  payload: string;
  /** Steps between the start of the job and here. */
  depth: number;
  /** How often it was tried and failed before. */
  attempts: number;
  /** Milliseconds between two tasks of its host, as far as known when it was claimed: because the host was busy. */
  hostDelay: number;
  /** The same because of its robots.txt. */
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
  /** JSON, as its capability wrote it. */
  options: string;
}

/** The milliseconds between two tasks that a robots.txt wants of the crawlers with this name in it. */
export interface RobotsPace {
  agent: string;
  delay: number;
}

export type LearnedPace =
  | ({ type: 'robots' } & RobotsPace)
  /** A host that was busy bears this many milliseconds between two tasks. */
  | { type: 'bears'; delay: number };

/** What came of a task. Whatever else happens is thrown: a failure of the target as a TrawlError. */
export type TaskOutcome =
  | {
      type: 'done';
      /** As JSON: the result of a main task; of the conclusion what the job gives as a whole. */
      document: Compressed;
      /** For the cache. */
      copy?: CacheRow | undefined;
      charge: Charge | null;
      found: readonly NewTask[];
      /** What it turned out to be about. Of a job each address gives one result. */
      address?: TaskAddress;
      /** What it led to and will not be worked on. */
      refused?: readonly RefusedTask[];
      /** The host may be asked more quickly than until now. */
      pace?: LearnedPace | undefined;
      /** Events for the webhook that its kind has beside the usual ones. */
      events?: readonly KindEvent[];
    }
  /** A helper is done; what it found was added meanwhile. */
  | { type: 'helped' }
  /** It failed for good. That of a conclusion fails the job. */
  | { type: 'failed'; error: TrawlError; charge: Charge | null; events?: readonly KindEvent[] }
  /** It goes on at `runAt`, and holds no slot until then. `payload` says how far it is. */
  | { type: 'waits'; runAt: number; payload?: string; charge: Charge | null; events?: readonly KindEvent[] }
  /** robots.txt keeps it out. */
  | { type: 'blocked' }
  /** Its robots.txt wants a slower pace: tasks go back, and come at that pace. */
  | ({ type: 'slow down' } & RobotsPace);

/** Does the work on tasks of one kind of job, until the signal is aborted. */
export type RunTask = (task: JobTask, signal: AbortSignal) => Promise<TaskOutcome>;
