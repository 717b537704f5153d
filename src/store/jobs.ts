import { newId, now } from '../clock.ts';
import { type Compressed, decompress } from './compression.ts';
import type { Documents } from './documents.ts';
import type { LimitStore } from './limits/limit-store.ts';
import { addFound, type Discovery } from './operations/jobs/add-work.ts';
import { cancelJob } from './operations/jobs/cancel-job.ts';
import { claimTasks, type TaskClaim } from './operations/jobs/claim-tasks.ts';
import { completeTasks, type TaskCompletion } from './operations/jobs/complete-tasks.ts';
import type { EndedTask } from './operations/jobs/end-task.ts';
import {
  countTasks,
  type FailedTask,
  findConclusion,
  findJob,
  findJobWork,
  type JobState,
  type JobWork,
  listFailedTasks,
  listOpenJobs,
  listResultSizes,
  listResults,
  type OpenJob,
  type StoredJob,
} from './operations/jobs/read-job.ts';
import { nextReadyAt } from './operations/jobs/ready.ts';
import type { JobRef } from './operations/jobs/rows.ts';
import {
  appendToJob,
  type IdempotentRequest,
  type JobAnswer,
  type JobAppend,
  type JobStart,
  type SealedStart,
  startJob,
} from './operations/jobs/start-job.ts';
import { readShapes } from './operations/jobs/task-shapes.ts';
import {
  addWorker,
  findHeld,
  findLostWorker,
  hasWorker,
  removeWorker,
  renewWorker,
} from './operations/jobs/workers.ts';
import { openWebhook, sealWebhook } from './seal-webhook.ts';
import { openClaimed, openDocument, openFailed, sealEnded, sealRefused, sealTasks } from './seal-work.ts';
import { isSecretMismatch } from './sealing/cipher.ts';
import type { JobSeal } from './sealing/job-seal.ts';
import type { Sealing } from './sealing.ts';
import { untilKnown } from './store-away.ts';
import { TeamNumbers } from './team-numbers.ts';

/** Bytes of documents in one response, as sent; one document is returned however large it is. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Documents in one response: more would be a megabyte of metadata alone. */
const MAX_DOCUMENTS = 5_000;

/** Durable work. Confidential values are sealed on their way in, and opened on their way out. */
export function createJobStore(documents: Documents, limits: LimitStore) {
  const { runner, sealing, largeResults } = documents;
  const teams = new TeamNumbers(runner);

  async function find(teamId: string, kind: string, id: string): Promise<JobState | null> {
    const team = await teams.numberOf(teamId);
    return team === null ? null : runner.read(findJob, { team, kind, id, at: now() });
  }

  return {
    /** Creates a job with its tasks and its entry in the activity log, and reserves its credits: all or nothing. */
    async start(start: MaybeOnce<JobStart>) {
      const sealed = await sealStart(sealing, start);
      return doOnce<SealedStart, JobAnswer>(sealing, sealed.job.teamId, sealed, (once) => runner.write(startJob, once));
    },
    /** Adds tasks to a running job. */
    async append(append: MaybeOnce<JobAppend>) {
      const { teamId, kind, id } = append;
      const job = await find(teamId, kind, id);
      const seal = job && (await sealing.ofTasks(job));
      const sealed: MaybeOnce<JobAppend> = { ...append, tasks: await sealTasks(sealing, seal, append.tasks) };
      return doOnce<JobAppend, JobAnswer>(sealing, teamId, sealed, (once) => runner.write(appendToJob, once));
    },
    /** A job of the team; null also when it has expired. */
    async find(teamId: string, kind: string, id: string): Promise<StoredJob | null> {
      const job = await find(teamId, kind, id);
      if (job === null) return null;
      const { webhook, error } = job;
      const seal = webhook === null && error === null ? null : await sealing.ifReadable(job);
      return { ...job, webhook: webhook && openWebhook(seal, webhook), error: error && openError(seal, error) };
    },
    /** The running jobs of a team that have a readable summary, newest first. */
    async open(teamId: string, kind: string, range: { skip: number; limit: number }): Promise<OpenJob[]> {
      const team = await teams.numberOf(teamId);
      const jobs = team === null ? [] : await runner.read(listOpenJobs, { team, kind, ...range });
      return (await Promise.all(jobs.map((job) => openSummary(sealing, job)))).flat();
    },
    /**
     * Prevents further tasks of a job from starting. Resolves with the resulting status; null when the team has no such
     * job.
     */
    async cancel(teamId: string, kind: string, id: string) {
      const status = await runner.write(cancelJob, { teamId, kind, id, at: now() });
      sealing.hasErased ||= status !== null;
      return status;
    },
    /** Documents of a job as JSON text, as many as fit into one response. */
    results: (ref: JobRef, range: ResultRange) => readResults(documents, refOf(ref), range),
    /** The job's own result, as JSON text; null when there is none, or when it has expired. */
    async conclusion(ref: JobRef): Promise<string | null> {
      const [seal, found] = await Promise.all([sealing.ofTasks(ref), runner.read(findConclusion, refOf(ref))]);
      return found && textOf(seal, await largeResults.get(found));
    },
    /** Tasks of a job without a result: after the task `after`, then `skip` more. */
    async failedTasks(ref: JobRef, range: { after: FailedTask | null; skip: number; limit: number }) {
      const reading = runner.read(listFailedTasks, { ...refOf(ref), ...range });
      const [seal, tasks] = await Promise.all([sealing.ofTasks(ref), reading]);
      return tasks.map((task) => openFailed(seal, task));
    },
    /** The number of waiting and running tasks of a team's jobs. */
    count: (teamId: string) => runner.read(countTasks, teamId),

    /** Hands tasks to a worker. */
    async claim(claim: TaskClaim) {
      const tasks = await runner.write(claimTasks, { ...claim, takenSlots: limits.takenHere });
      return Promise.all(tasks.map((task) => openClaimed(sealing, task)));
    },
    /** Ends tasks of the worker. */
    async complete(completion: TaskCompletion) {
      const ended = await Promise.all(completion.ended.map((task) => toStored(documents, task)));
      const hosts = completion.hosts.map((pace) => ({ ...pace, host: sealing.host(pace.host) }));
      await runner.write(completeTasks, { ...completion, ended, hosts });
      // When its last task has ended, a job's options are deleted.
      for (const task of ended) sealing.hasErased ||= (await sealing.ifReadable(task))?.hidesTasks === true;
    },
    /** Adds the findings of a task to its job. Resolves with whether there is room for more. */
    async addFound(discovery: Discovery) {
      const seal = await sealing.ofTasks(discovery);
      const found = await sealTasks(sealing, seal, discovery.found);
      return runner.write(addFound, { ...discovery, found, refused: sealRefused(seal, discovery.refused) });
    },
    /** The number of tasks of a job for each of these shape keys, and the number of shapes for each family. */
    async shapes(ref: JobRef, keys: readonly string[]) {
      const seal = await sealing.ofTasks(ref);
      if (seal === null) return runner.read(readShapes, { ...refOf(ref), keys });
      const names = new Map(keys.map((key) => [seal.lookup(key), key]));
      const counts = await runner.read(readShapes, { ...refOf(ref), keys: [...names.keys()] });
      return new Map([...counts].map(([name, count]) => [names.get(name) ?? name, count]));
    },
    /**
     * The earliest time at which a task of any team except these may be claimed; null when none can until something
     * else happens.
     */
    nextReadyAt: (full: readonly string[] = []) => runner.read(nextReadyAt, full),
    /** What a worker needs to know about a job. Throws SECRET_MISMATCH. */
    async work(ref: JobRef): Promise<JobWork | null> {
      const work = await runner.read(findJobWork, refOf(ref));
      if (work === null || work.options === null) return work;
      return { ...work, options: await openOptions(sealing, ref, work.options) };
    },

    /** Adds a worker. Resolves with its number. */
    addWorker: (leaseUntil: number) => runner.writeOnce(addWorker, leaseUntil),
    /** Resolves with false when the worker was removed because its lease had expired: its tasks have been handed on. */
    renewWorker: (worker: number, leaseUntil: number) => runner.writeOnce(renewWorker, { worker, leaseUntil }),
    /** Removes a worker that holds nothing. */
    removeWorker: (worker: number) => runner.write(removeWorker, worker),
    /** The tasks that a worker holds, including those of a claim whose response was lost. */
    held: (worker: number, limit: number) => runner.write(findHeld, { worker, limit }),
    /** A worker whose lease has expired, and some of its tasks; null when there is none except those left out. */
    lostWorker: (limit: number, leftOut: readonly number[] = []) =>
      runner.read(findLostWorker, { at: now(), limit, leftOut }),
    /** Whether any worker is alive. */
    hasWorker: () => runner.read(hasWorker, now()),
  };
}

/** Only the fields that identify a job: everything else would be copied to another thread. */
function refOf({ team, job }: JobRef): JobRef {
  return { team, job };
}

function openError<E extends { message: string }>(seal: JobSeal | null, error: E): E {
  return seal?.hidesTasks ? { ...error, message: seal.open('error', error.message) } : error;
}

/** Input whose idempotency key is optional. */
type MaybeOnce<Asked extends { request: IdempotentRequest }> = Omit<Asked, 'request'> & {
  request: IdempotentRequest | null;
};

/**
 * Retries are safe: each request carries an idempotency key, a generated one if the caller gives none. Keys of callers
 * and hashes of their requests are stored as keyed hashes, because both can contain addresses.
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
  const { job, tasks, webhook } = start;
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
    tasks: await sealTasks(sealing, job.hidesTasks ? seal : null, tasks),
    webhook: webhook && sealWebhook(seal, webhook),
  };
}

async function openOptions(sealing: Sealing, job: JobRef, options: string): Promise<string> {
  const seal = await sealing.of(job);
  return seal?.open('options', options) ?? options;
}

/** Empty for a job that was started with a different secret: it fails as soon as a worker claims one of its tasks. */
async function openSummary(sealing: Sealing, job: OpenJob): Promise<OpenJob[]> {
  try {
    return [{ ...job, summary: await openOptions(sealing, job, job.summary) }];
  } catch (error) {
    if (isSecretMismatch(error)) return [];
    throw error;
  }
}

export interface ResultRange {
  /** The number of documents to skip, in the order of completion. */
  skip: number;
  /** The maximum number of documents; null: as many as fit. */
  limit: number | null;
  /** Instead of the usual size of a response. */
  maxBytes?: number;
}

async function readResults(
  { runner, sealing, largeResults }: Documents,
  ref: JobRef,
  { skip, limit, maxBytes = MAX_BYTES }: ResultRange,
): Promise<string[]> {
  const most = Math.min(limit ?? MAX_DOCUMENTS, MAX_DOCUMENTS);
  const sizes = await runner.read(listResultSizes, { ...ref, from: skip, limit: most });
  let bytes = 0;
  const over = sizes.findIndex((size, index) => {
    bytes += size;
    return bytes > maxBytes && index > 0;
  });
  const rows = await runner.read(listResults, { ...ref, from: skip, limit: over === -1 ? sizes.length : over });
  const seal = await sealing.ofTasks(ref);
  return Promise.all(rows.map(async (row) => textOf(seal, await largeResults.get(row))));
}

async function textOf(seal: JobSeal | null, document: Compressed): Promise<string> {
  return new TextDecoder().decode(await decompress(openDocument(seal, document)));
}

/** Seals what has to be sealed of a task, and stores the bytes of a large document. */
async function toStored({ sealing, largeResults }: Documents, task: EndedTask): Promise<EndedTask> {
  const sealed = await sealEnded(sealing, task);
  const { end } = sealed;
  if (end.type !== 'done') return sealed;
  return { ...sealed, end: { ...end, document: await largeResults.put(task.teamId, end.document) } };
}
