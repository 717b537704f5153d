import { newId, now } from '../clock.ts';
import { decompress } from './compression.ts';
import type { Runner } from './database.ts';
import type { LimitStore } from './limits/limit-store.ts';
import { addFound, type Discovery } from './operations/jobs/add-work.ts';
import { cancelJob } from './operations/jobs/cancel-job.ts';
import { claimPages, type PageClaim } from './operations/jobs/claim-pages.ts';
import { completePages, type PageCompletion } from './operations/jobs/complete-pages.ts';
import { readShapes } from './operations/jobs/page-shapes.ts';
import {
  countPages,
  type FailedPage,
  findJob,
  findJobWork,
  listFailedPages,
  listOpenJobs,
  listResultSizes,
  listResults,
} from './operations/jobs/read-job.ts';
import { nextReadyAt } from './operations/jobs/ready.ts';
import {
  appendToJob,
  type IdempotentRequest,
  type JobAppend,
  type JobKind,
  type JobStart,
  startJob,
} from './operations/jobs/start-job.ts';
import {
  addWorker,
  findHeld,
  findLostWorker,
  hasWorker,
  removeWorker,
  renewWorker,
} from './operations/jobs/workers.ts';
import { untilKnown } from './store-away.ts';

/** Bytes of documents, as they are sent, in one answer; one document is given however large it is. */
const MOST_BYTES = 10 * 1024 * 1024;
/** Documents in one answer: more would be a megabyte of metadata alone. */
const MOST_DOCUMENTS = 5_000;

/** Durable work. */
export function createJobStore(runner: Runner, limits: LimitStore) {
  return {
    /** Makes a job with its pages and its line in the activity log, and sets credits aside: all or nothing. */
    start: (start: MaybeOnce<JobStart>) => doOnce(start, (once) => runner.write(startJob, once)),
    /** Adds pages to a job that goes on. */
    append: (append: MaybeOnce<JobAppend>) => doOnce(append, (once) => runner.write(appendToJob, once)),
    /** A job of the team, or null: also when it is over its time. */
    find: (teamId: string, kind: JobKind, id: string) => runner.read(findJob, { teamId, kind, id, at: now() }),
    /** The jobs of a team that go on and have a summary, the newest first. */
    open: (teamId: string, kind: JobKind, range: { skip: number; limit: number }) =>
      runner.read(listOpenJobs, { teamId, kind, ...range }),
    /** Lets no more pages of a job begin. Resolves with false when the team has no such job. */
    cancel: (teamId: string, kind: JobKind, id: string) => runner.write(cancelJob, { teamId, kind, id, at: now() }),
    /** Documents of a job as JSON text, as many as fit into one answer. */
    results: (job: number, range: ResultRange) => readResults(runner, job, range),
    /** Pages of a job that gave no result: behind the page `after`, then `skip` more. */
    failedPages: (job: number, range: { after: FailedPage | null; skip: number; limit: number }) =>
      runner.read(listFailedPages, { job, ...range }),
    /** Pages of a team's jobs that wait and that are under way. */
    count: (teamId: string) => runner.read(countPages, teamId),

    /** Hands pages to a worker. */
    claim: (claim: PageClaim) => runner.write(claimPages, { ...claim, takenPlaces: limits.takenHere }),
    /** Ends pages that the worker has. */
    complete: (completion: PageCompletion) => runner.write(completePages, completion),
    /** Adds to a job what one of its pages has told of so far. Resolves with whether there is room for more. */
    addFound: (discovery: Discovery) => runner.write(addFound, discovery),
    /** How many pages of a job have the shapes with these keys, and how many shapes the families. */
    shapes: (job: number, keys: readonly string[]) => runner.read(readShapes, { job, keys }),
    /** When a page may next be claimed, at the earliest; null when none can until something else happens. */
    nextReadyAt: () => runner.read(nextReadyAt, undefined),
    /** What has to be known of a job to work on its pages. */
    work: (job: number) => runner.read(findJobWork, job),

    /** A new worker's number. */
    addWorker: (leaseUntil: number) => runner.writeOnce(addWorker, leaseUntil),
    /** Resolves with false when the worker's lease was over and what it held was handed on. */
    renewWorker: (worker: number, leaseUntil: number) => runner.writeOnce(renewWorker, { worker, leaseUntil }),
    /** Forgets a worker that holds nothing. */
    removeWorker: (worker: number) => runner.write(removeWorker, worker),
    /** What a worker holds, also by a claim whose answer it did not get. */
    held: (worker: number, limit: number) => runner.write(findHeld, { worker, limit }),
    /** A worker whose lease is over, with some of what it held; null when there is none. */
    lostWorker: (limit: number) => runner.read(findLostWorker, { at: now(), limit }),
    /** Whether anybody works on jobs. */
    hasWorker: () => runner.read(hasWorker, now()),
  };
}

/** What is asked for with or without a key that makes it idempotent. */
type MaybeOnce<Asked extends { request: IdempotentRequest }> = Omit<Asked, 'request'> & {
  request: IdempotentRequest | null;
};

/** Does what is asked for once, also when it is not known of the first try whether it did: therefore all has a key. */
function doOnce<Asked extends { request: IdempotentRequest }, Answer>(
  asked: MaybeOnce<Asked>,
  write: (once: Omit<Asked, 'request'> & { request: IdempotentRequest }) => Promise<Answer>,
): Promise<Answer> {
  const request = asked.request ?? { key: newId(), hash: '' };
  return untilKnown(() => write({ ...asked, request }));
}

export interface ResultRange {
  /** The first ones to leave out, in the order of completion. */
  skip: number;
  /** At most so many; null is as many as fit. */
  limit: number | null;
  /** Instead of what fits into an answer. */
  mostBytes?: number;
}

async function readResults(
  runner: Runner,
  job: number,
  { skip, limit, mostBytes = MOST_BYTES }: ResultRange,
): Promise<string[]> {
  const most = Math.min(limit ?? MOST_DOCUMENTS, MOST_DOCUMENTS);
  const sizes = await runner.read(listResultSizes, { job, from: skip, limit: most });
  let bytes = 0;
  const over = sizes.findIndex((size, index) => {
    bytes += size;
    return bytes > mostBytes && index > 0;
  });
  const rows = await runner.read(listResults, { job, from: skip, limit: over === -1 ? sizes.length : over });
  const decoder = new TextDecoder();
  return Promise.all(rows.map(async (row) => decoder.decode(await decompress(row))));
}
