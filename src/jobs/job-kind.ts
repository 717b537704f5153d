import type { StoredJob } from '../store/operations/jobs/read-job.ts';
import type { EndpointGroup } from '../team/restrictions.ts';
import type { RunTurn } from './schedules.ts';
import type { RunTask } from './task.ts';

/** What every job tells its webhook. `page` is a main task that came to its end. `failed` is a job without its end. */
export const JOB_EVENTS = ['started', 'page', 'completed', 'failed'] as const;

/** A kind of job, with all that is the same for every job of the kind. service/job-kinds.ts lists them. */
export interface JobKind {
  /** By which jobs are stored. */
  name: string;
  /** Works on one task: on main tasks, on helpers, and on the conclusion of a job that is started with one. */
  run: RunTask;
  /** Does what is scheduled for this kind; without it nothing can be. */
  onTurn?: RunTurn;
  wire: JobKindOnTheWire;
}

/** How jobs of a kind are told over HTTP, WebSocket and webhooks. */
export interface JobKindOnTheWire {
  /** Where they are, behind `/v1/` and `/v2/`. */
  path: string;
  versions: readonly ('v1' | 'v2')[];
  endpointGroup: EndpointGroup;
  /** What the types of their events begin with. */
  eventPrefix: string;
  /** Types of events beside JOB_EVENTS. */
  events?: readonly string[];
  /**
   * A status as JSON text.
   *
   * @param documents results as JSON text
   * @param conclusion what the job gives as a whole, as JSON text; null before that, and of kinds without one
   * @param next where the documents that follow are
   */
  status(job: StoredJob, documents: readonly string[], conclusion: string | null, next?: string): string;
}
