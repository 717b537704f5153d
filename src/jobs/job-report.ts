import { setImmediate } from 'node:timers/promises';
import { TrawlError } from '../errors.ts';
import type { FailedTask, StoredJob } from '../store/operations/jobs/read-job.ts';
import type { StoredEvent, StoredWebhook } from '../store/operations/jobs/read-webhook.ts';
import type { Store } from '../store/store.ts';
import { fitting } from './fitting.ts';

/** Size of an error report in bytes, as sent. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Tasks that are read at a time: some megabytes with the longest addresses. */
const STEP = 1_000;
/** Size of an entry besides its address and its message: field names, id, time, code. */
const ENTRY_BYTES = 200;

/** Identifies a job: it belongs to the team and is of one of these kinds. */
export interface JobName {
  teamId: string;
  id: string;
  kinds: readonly string[];
}

export interface FoundJob {
  kind: string;
  job: StoredJob;
}

export interface JobStatus extends FoundJob {
  /** Each a document as JSON text. */
  documents: string[];
  /** The `skip` for the documents that follow; null when these are the last for now. */
  next: number | null;
  /** The job's own result, as JSON text; null before its end, and for most kinds. */
  conclusion: string | null;
}

/** The progress of a job, with some of its documents. */
export async function jobStatus(
  store: Store,
  { job, kind }: FoundJob,
  { skip, limit }: { skip: number; limit: number | null },
): Promise<JobStatus> {
  const documents = await store.jobs.results(job, { skip, limit });
  const next = skip + documents.length;
  const conclusion = job.status === 'completed' ? await store.jobs.conclusion(job) : null;
  return { kind, job, documents, conclusion, next: next < job.completed && documents.length > 0 ? next : null };
}

export interface JobFailures {
  tasks: FailedTask[];
  /** The `skip` for the tasks that follow; null at the end. */
  next: number | null;
}

/**
 * The tasks of a job without a result, in the order in which they failed: as many as fit into a response. Throws
 * NOT_FOUND.
 */
export async function jobFailures(
  store: Store,
  name: JobName,
  { skip, limit }: { skip: number; limit: number | null } = { skip: 0, limit: null },
): Promise<JobFailures> {
  const { job } = await findJob(store, name);
  const most = limit ?? Number.POSITIVE_INFINITY;
  const tasks: FailedTask[] = [];
  for (let bytes = 0; ; ) {
    const after = tasks.at(-1) ?? null;
    const step = await store.jobs.failedTasks(job, { after, skip: after === null ? skip : 0, limit: STEP });
    const wanted = step.slice(0, most - tasks.length);
    const fit = fitting(wanted, sizeOf, MAX_BYTES - bytes);
    tasks.push(...fit);
    bytes += fit.reduce((sum, task) => sum + sizeOf(task), 0);
    if (fit.length < step.length) return { tasks, next: skip + tasks.length };
    if (step.length < STEP) return { tasks, next: null };
    // Lets others run between two reads.
    await setImmediate();
  }
}

function sizeOf({ payload, message }: FailedTask): number {
  return ENTRY_BYTES + Buffer.byteLength(payload) + Buffer.byteLength(message ?? '');
}

/**
 * Cancels a job: none of its tasks starts any more. Throws NOT_FOUND, and CONFLICT when the job has completed and there
 * is nothing to cancel.
 */
export async function cancelJob(store: Store, name: JobName): Promise<void> {
  const { kind } = await findJob(store, name);
  const status = await store.jobs.cancel(name.teamId, kind, name.id);
  if (status !== 'completed') return;
  throw new TrawlError('CONFLICT', `This ${kind} has already completed. Its results do not change.`);
}

/** The webhook of a job and some of its events, the oldest first. Throws NOT_FOUND, also for a job without one. */
export async function jobWebhook(
  store: Store,
  name: JobName,
  range: { skip: number; limit: number },
): Promise<{ webhook: StoredWebhook; events: StoredEvent[] }> {
  const { job } = await findJob(store, name);
  if (job.webhook === null) throw new TrawlError('NOT_FOUND', 'This job was started without a webhook.');
  return { webhook: job.webhook, events: await store.webhooks.events(job, range) };
}

/** Throws NOT_FOUND, also for the job of another team. */
export async function findJob(store: Store, { teamId, id, kinds }: JobName): Promise<FoundJob> {
  for (const kind of kinds) {
    const job = await store.jobs.find(teamId, kind, id);
    if (job !== null) return { job, kind };
  }
  throw new TrawlError(
    'NOT_FOUND',
    `There is no ${kinds.join(' or ')} with this id: it never existed, or it has expired.`,
  );
}
