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
  type JobWork,
  listFailedPages,
  listOpenJobs,
  listResultSizes,
  listResults,
  type OpenJob,
  type StoredJob,
} from './operations/jobs/read-job.ts';
import { nextReadyAt } from './operations/jobs/ready.ts';
import {
  appendToJob,
  type IdempotentRequest,
  type JobAnswer,
  type JobAppend,
  type JobKind,
  type JobStart,
  type SealedStart,
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
import { openWebhook, sealWebhook } from './seal-webhook.ts';
import { openClaimed, openDocument, openFailed, sealEnded, sealPages, sealRefused } from './seal-work.ts';
import { isSecretMismatch } from './sealing/cipher.ts';
import type { Sealing } from './sealing.ts';
import { untilKnown } from './store-away.ts';

/** Bytes of documents, as they are sent, in one answer; one document is given however large it is. */
const MOST_BYTES = 10 * 1024 * 1024;
/** Documents in one answer: more would be a megabyte of metadata alone. */
const MOST_DOCUMENTS = 5_000;

/** Durable work. What may not be read from the files is sealed on its way in, and opened on its way out. */
export function createJobStore(runner: Runner, limits: LimitStore, sealing: Sealing) {
  return {
    /** Makes a job with its pages and its line in the activity log, and sets credits aside: all or nothing. */
    async start(start: MaybeOnce<JobStart>) {
      const sealed = await sealStart(sealing, start);
      return doOnce<SealedStart, JobAnswer>(sealing, sealed.job.teamId, sealed, (once) => runner.write(startJob, once));
    },
    /** Adds pages to a job that goes on. */
    async append(append: MaybeOnce<JobAppend>) {
      const { teamId, kind, id } = append;
      const job = await runner.read(findJob, { teamId, kind, id, at: now() });
      const seal = job && (await sealing.ofPages(job.number));
      const sealed: MaybeOnce<JobAppend> = { ...append, pages: await sealPages(sealing, seal, append.pages) };
      return doOnce<JobAppend, JobAnswer>(sealing, teamId, sealed, (once) => runner.write(appendToJob, once));
    },
    /** A job of the team, or null: also when it is over its time. */
    async find(teamId: string, kind: JobKind, id: string): Promise<StoredJob | null> {
      const job = await runner.read(findJob, { teamId, kind, id, at: now() });
      return job && { ...job, webhook: job.webhook && openWebhook(await sealing.ifReadable(job.number), job.webhook) };
    },
    /** The jobs of a team that go on and have a summary that can be read, the newest first. */
    async open(teamId: string, kind: JobKind, range: { skip: number; limit: number }): Promise<OpenJob[]> {
      const jobs = await runner.read(listOpenJobs, { teamId, kind, ...range });
      return (await Promise.all(jobs.map((job) => openSummary(sealing, job)))).flat();
    },
    /** Lets no more pages of a job begin. Resolves with the status that it has then; null when the team has no such job. */
    async cancel(teamId: string, kind: JobKind, id: string) {
      const status = await runner.write(cancelJob, { teamId, kind, id, at: now() });
      sealing.hasErased ||= status !== null;
      return status;
    },
    /** Documents of a job as JSON text, as many as fit into one answer. */
    results: (job: number, range: ResultRange) => readResults(runner, sealing, job, range),
    /** Pages of a job that gave no result: behind the page `after`, then `skip` more. */
    async failedPages(job: number, range: { after: FailedPage | null; skip: number; limit: number }) {
      const [seal, pages] = await Promise.all([sealing.ofPages(job), runner.read(listFailedPages, { job, ...range })]);
      return pages.map((page) => openFailed(seal, page));
    },
    /** Pages of a team's jobs that wait and that are under way. */
    count: (teamId: string) => runner.read(countPages, teamId),

    /** Hands pages to a worker. */
    async claim(claim: PageClaim) {
      const pages = await runner.write(claimPages, { ...claim, takenPlaces: limits.takenHere });
      return Promise.all(pages.map((page) => openClaimed(sealing, page)));
    },
    /** Ends pages that the worker has. */
    async complete(completion: PageCompletion) {
      const ended = await Promise.all(completion.ended.map((page) => sealEnded(sealing, page)));
      const hosts = completion.hosts.map((pace) => ({ ...pace, host: sealing.host(pace.host) }));
      await runner.write(completePages, { ...completion, ended, hosts });
      // With its last page a job forgets its options.
      for (const { job } of ended) sealing.hasErased ||= (await sealing.ifReadable(job))?.hidesPages === true;
    },
    /** Adds to a job what one of its pages has told of so far. Resolves with whether there is room for more. */
    async addFound(discovery: Discovery) {
      const seal = await sealing.ofPages(discovery.job);
      const found = await sealPages(sealing, seal, discovery.found);
      return runner.write(addFound, { ...discovery, found, refused: sealRefused(seal, discovery.refused) });
    },
    /** How many pages of a job have the shapes with these keys, and how many shapes the families. */
    async shapes(job: number, keys: readonly string[]) {
      const seal = await sealing.ofPages(job);
      if (seal === null) return runner.read(readShapes, { job, keys });
      const names = new Map(keys.map((key) => [seal.lookup(key), key]));
      const counts = await runner.read(readShapes, { job, keys: [...names.keys()] });
      return new Map([...counts].map(([name, count]) => [names.get(name) ?? name, count]));
    },
    /** When a page of any team but these may next be claimed, at the earliest; null when none can until something else happens. */
    nextReadyAt: (sated: readonly string[] = []) => runner.read(nextReadyAt, sated),
    /** What has to be known of a job to work on its pages. Throws SECRET_MISMATCH. */
    async work(job: number): Promise<JobWork | null> {
      const work = await runner.read(findJobWork, job);
      if (work === null || work.options === null) return work;
      return { ...work, options: await openOptions(sealing, job, work.options) };
    },

    /** A new worker's number. */
    addWorker: (leaseUntil: number) => runner.writeOnce(addWorker, leaseUntil),
    /** Resolves with false when the worker's lease was over and what it held was handed on. */
    renewWorker: (worker: number, leaseUntil: number) => runner.writeOnce(renewWorker, { worker, leaseUntil }),
    /** Forgets a worker that holds nothing. */
    removeWorker: (worker: number) => runner.write(removeWorker, worker),
    /** What a worker holds, also by a claim whose answer it did not get. */
    held: (worker: number, limit: number) => runner.write(findHeld, { worker, limit }),
    /** A worker whose lease is over, with some of what it held; null when there is none but those left out. */
    lostWorker: (limit: number, leftOut: readonly number[] = []) =>
      runner.read(findLostWorker, { at: now(), limit, leftOut }),
    /** Whether anybody works on jobs. */
    hasWorker: () => runner.read(hasWorker, now()),
  };
}

/** What is asked for with or without a key that makes it idempotent. */
type MaybeOnce<Asked extends { request: IdempotentRequest }> = Omit<Asked, 'request'> & {
  request: IdempotentRequest | null;
};

/**
 * Retries are safe: each request carries an idempotency key, its own one when the caller gives none. A caller's key and
 * what it asked for are stored as keyed hashes, because both can hold addresses.
 */
function doOnce<Asked extends { request: IdempotentRequest }, Answer>(
  sealing: Sealing,
  teamId: string,
  asked: MaybeOnce<Asked>,
  write: (once: Omit<Asked, 'request'> & { request: IdempotentRequest }) => Promise<Answer>,
): Promise<Answer> {
  const request =
    asked.request === null
      ? { key: newId(), hash: '' }
      : {
          key: sealing.lookup('request', `${teamId} key ${asked.request.key}`),
          hash: sealing.lookup('request', `${teamId} hash ${asked.request.hash}`),
        };
  return untilKnown(() => write({ ...asked, request }));
}

async function sealStart(sealing: Sealing, start: MaybeOnce<JobStart>): Promise<MaybeOnce<SealedStart>> {
  const { job, pages, webhook } = start;
  const { seal, sealedKey } = sealing.newSeal(job.id, job);
  const { summary } = job;
  return {
    ...start,
    sealedKey,
    job: {
      ...job,
      options: seal.seal('options', job.options),
      ...(summary !== undefined && { summary: seal.seal('options', summary) }),
    },
    pages: await sealPages(sealing, job.hidesPages ? seal : null, pages),
    webhook: webhook && sealWebhook(seal, webhook),
  };
}

async function openOptions(sealing: Sealing, job: number, options: string): Promise<string> {
  const seal = await sealing.of(job);
  return seal?.open('options', options) ?? options;
}

/** Empty for a job that was started under another secret: it fails as soon as a worker finds out. */
async function openSummary(sealing: Sealing, job: OpenJob): Promise<OpenJob[]> {
  try {
    return [{ ...job, summary: await openOptions(sealing, job.number, job.summary) }];
  } catch (error) {
    if (isSecretMismatch(error)) return [];
    throw error;
  }
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
  sealing: Sealing,
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
  const seal = await sealing.ofPages(job);
  const decoder = new TextDecoder();
  return Promise.all(rows.map(async (row) => decoder.decode(await decompress(openDocument(seal, row)))));
}
