import { TrawlError } from '../errors.ts';
import type { FailedPage, StoredJob } from '../store/operations/jobs/read-job.ts';
import type { StoredEvent, StoredWebhook } from '../store/operations/jobs/read-webhook.ts';
import type { Store } from '../store/store.ts';

/** Of a batch whose pages all fail, the report ends here: some 30 MB. */
const MOST_FAILURES = 100_000;

export interface BatchStatus {
  job: StoredJob;
  /** Each a document as JSON text. */
  documents: string[];
  /** How many to skip for those that follow; null when these are the last for now. */
  next: number | null;
}

/** How far a batch of the team is, with some of its documents. Throws NOT_FOUND, also for the batch of another team. */
export async function batchStatus(
  store: Store,
  teamId: string,
  id: string,
  { skip, limit }: { skip: number; limit: number | null },
): Promise<BatchStatus> {
  const job = await findBatch(store, teamId, id);
  const documents = await store.jobs.results(job.number, { skip, limit });
  const next = skip + documents.length;
  return { job, documents, next: next < job.completed && documents.length > 0 ? next : null };
}

/** The pages of a batch that gave no result, the first ones first. Throws NOT_FOUND. */
export async function batchFailures(store: Store, teamId: string, id: string): Promise<FailedPage[]> {
  const job = await findBatch(store, teamId, id);
  return store.jobs.failedPages(job.number, MOST_FAILURES);
}

/** No new page of the batch starts; to cancel what has ended changes nothing. Throws NOT_FOUND. */
export async function cancelBatch(store: Store, teamId: string, id: string): Promise<void> {
  if (!(await store.jobs.cancel(teamId, 'batch', id))) throw notFound();
}

/** The webhook of a batch and some of its events, the oldest first. Throws NOT_FOUND, also for a batch without one. */
export async function batchWebhook(
  store: Store,
  teamId: string,
  id: string,
  range: { skip: number; limit: number },
): Promise<{ webhook: StoredWebhook; events: StoredEvent[] }> {
  const { number, webhook } = await findBatch(store, teamId, id);
  if (webhook === null) throw new TrawlError('NOT_FOUND', 'This batch was started without a webhook.');
  return { webhook, events: await store.webhooks.events(number, range) };
}

/** Throws NOT_FOUND, also for the batch of another team. */
export async function findBatch(store: Store, teamId: string, id: string): Promise<StoredJob> {
  const job = await store.jobs.find(teamId, 'batch', id);
  if (job === null) throw notFound();
  return job;
}

function notFound(): TrawlError {
  return new TrawlError('NOT_FOUND', 'There is no batch under this id: it never was, or its time is over.');
}
