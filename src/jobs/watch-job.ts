import type { StoredJob } from '../store/operations/jobs/read-job.ts';
import type { Store } from '../store/store.ts';
import { outlast } from '../store/store-away.ts';
import type { JobNews } from './job-news.ts';

/** The messages to a watcher of a job. Documents are JSON text. */
export type JobMessage =
  /** First: the progress, with as many documents as fit into a response. */
  | { type: 'catchup'; job: StoredJob; documents: string[] }
  | { type: 'document'; document: string }
  /** Last: the job has ended and every document was sent. */
  | { type: 'done'; job: StoredJob; conclusion: string | null };

export interface JobWatch {
  store: Store;
  news: JobNews;
  /** Throws when the job is gone. */
  find: () => Promise<StoredJob>;
}

/** Documents in memory for one watcher. There can be many watchers. */
const MAX_BYTES = 1024 * 1024;
/** Another process may have stored something: a poll takes 0.05 ms on SQLite and 0.4 on PostgreSQL. */
const POLL_MS = 500;

/**
 * Reports the current state of a job, and then each document as it is stored, in the order of the results, until the
 * end or the signal. The next message is made when the previous one was taken: a slow watcher delays only itself. A job
 * that has ended is reported as running while documents of it are still to be sent. Once begun, watching survives an
 * unreachable database for half a minute.
 */
export async function* watchJob({ store, news, find }: JobWatch, signal: AbortSignal): AsyncGenerator<JobMessage> {
  let job = await find();
  let wake = Promise.withResolvers<void>();
  const onNews = () => wake.resolve();
  using _listening = news.listen(job.job, onNews);
  signal.addEventListener('abort', onNews, { once: true });

  let documents = await store.jobs.results(job, { skip: 0, limit: null });
  let sent = documents.length;
  yield {
    type: 'catchup',
    job: isAllSent(job, sent) ? job : { ...job, status: 'scraping', finishedAt: null },
    documents,
  };
  while (!signal.aborted) {
    if (isAllSent(job, sent)) {
      const ended = job;
      const conclusion = job.status === 'completed' ? await outlast(() => store.jobs.conclusion(ended)) : null;
      yield { type: 'done', job, conclusion };
      return;
    }
    // Created before the poll, so that no change after it is missed.
    wake = Promise.withResolvers();
    job = await outlast(find);
    const range = { skip: sent, limit: null, maxBytes: MAX_BYTES };
    documents = await outlast(() => store.jobs.results(job, range));
    for (const document of documents) yield { type: 'document', document };
    sent += documents.length;
    if (documents.length === 0 && !isAllSent(job, sent)) await within(POLL_MS, wake.promise);
  }
}

/** Whether no document follows: tasks that were running when a job was cancelled still give results. */
function isAllSent({ status, running, completed }: StoredJob, sent: number): boolean {
  return status !== 'scraping' && running === 0 && sent >= completed;
}

async function within(ms: number, news: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  await Promise.race([news, over.promise]);
  clearTimeout(timer);
}
