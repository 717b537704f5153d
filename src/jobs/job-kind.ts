import type { StoredJob } from '../store/operations/jobs/read-job.ts';
import type { EndpointGroup } from '../team/restrictions.ts';
import type { RunTurn } from './schedules.ts';
import type { RunTask } from './task.ts';

/** The webhook events of every job. `page`: a main task has ended. `failed`: the job failed or was cancelled. */
export const JOB_EVENTS = ['started', 'page', 'completed', 'failed'] as const;

/** A kind of job, with everything that is the same for all jobs of the kind. service/job-kinds.ts lists them. */
export interface JobKind {
  /** The name in the store. */
  name: string;
  /** Works on one task: a main task, a helper, or the conclusion of a job that has one. */
  run: RunTask;
  /** Runs the schedules of this kind; without it the kind has none. */
  onTurn?: RunTurn;
  wire: JobKindOnTheWire;
}

/** How jobs of a kind appear in HTTP, WebSockets and webhooks. */
export interface JobKindOnTheWire {
  /** Their path, after `/v1/` or `/v2/`. */
  path: string;
  versions: readonly ('v1' | 'v2')[];
  endpointGroup: EndpointGroup;
  /** The prefix of their event types. */
  eventPrefix: string;
  /** Event types besides JOB_EVENTS. */
  events?: readonly string[];
  /**
   * A status as JSON text.
   * @param documents results as JSON text
   * @param conclusion the job's own result, as JSON text; null before its end, and for kinds without one
   * @param next the address of the documents that follow
   */
  status(job: StoredJob, documents: readonly string[], conclusion: string | null, next?: string): string;
}
