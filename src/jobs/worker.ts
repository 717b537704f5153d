import { setTimeout as sleep } from 'node:timers/promises';
import { newId, now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { ClaimedTask } from '../store/operations/jobs/claim-tasks.ts';
import type { TaskCompletion } from '../store/operations/jobs/complete-tasks.ts';
import type { EndedTask, TaskEnd } from '../store/operations/jobs/end-task.ts';
import type { HostPace } from '../store/operations/jobs/paces.ts';
import type { Store } from '../store/store.ts';
import { isUnavailable } from '../store/store-away.ts';
import { completeApart } from './complete-apart.ts';
import { JobCache } from './job-cache.ts';
import { Lease } from './lease.ts';
import { judge, pauseOf, slower } from './retry.ts';
import { Tally } from './tally.ts';
import type { JobTask, LearnedPace, RunTask } from './task.ts';

export interface WorkerOptions {
  store: Store;
  /** Works on tasks, by the kind of job. */
  kinds: ReadonlyMap<string, RunTask>;
  /** Maximum number of tasks at the same time. */
  slots: number;
  /** The teams with so many fetched and unparsed pages that no more should be begun. */
  fullTeams: () => readonly string[];
  /** The jobs with so many pages in the browser that no more tasks should begin. */
  fullJobs: () => readonly number[];
  /**
   * Maximum number of scrapes and tasks of a team at the same time, by the name of its plan; null is without a limit.
   */
  concurrency: () => Promise<Readonly<Record<string, number | null>>>;
  /** Notified of the jobs with changes. */
  onStored: (jobs: Iterable<number>) => void;
  /** Called with what the store refuses. */
  onError: (error: unknown, what: string) => void;
}

/** One claim takes at most this many tasks of one team: then it is another team's turn. */
const CLAIM = 16;
/**
 * The most slots for one team and for one job. A batch of a thousand addresses that do not answer would otherwise hold
 * all slots for minutes, and nobody else's tasks would begin.
 */
const TEAM_SHARE = 3 / 4;
const JOB_SHARE = 1 / 2;
/** After this many claims in a row that found nothing, the next one waits. */
const MAX_EMPTY_CLAIMS = 4;
/** The most tasks that are stored together: with documents of 100 KB, the write takes some milliseconds. */
const COMPLETION = 16;
/** Another process may have added work; a poll costs 20 µs on SQLite and 0.2 ms on PostgreSQL. */
const POLL_MS = 200;
/** Pause after a failure of the store, up to doubled at random. */
const PAUSE_MS = 500;
/** A task that this process cannot handle is left to another one. */
const UNKNOWN_PAUSE_MS = 10_000;
/** How long to wait for running tasks at the end. Those that take longer go back to the queue. */
const GRACE_MS = 10_000;

interface Ended {
  worker: number;
  task: EndedTask;
  pace: HostPace | null;
  stored: () => void;
}

/**
 * Works on the tasks of all jobs, a limited number at a time. Claiming and completing each happen one batch at a time:
 * whatever becomes ready meanwhile goes with the next batch, so that batches grow with the load and nothing waits for a
 * timer. A slot is free again when its task is stored, which bounds what is in memory.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #jobs: JobCache;
  readonly #lease: Lease;
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  /** The running tasks, by lease and task. */
  readonly #running = new Map<Promise<void>, string>();
  readonly #ofTeams = new Tally<string>();
  readonly #ofJobs = new Tally<number>();
  #emptyClaims = 0;
  /** Whether a claim may have succeeded without its response arriving: this process does not know those tasks. */
  #mayHoldMore = false;
  #ended: Ended[] = [];
  #storing: Promise<void> | undefined;
  #wake = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#jobs = new JobCache(options.store);
    this.#lease = new Lease(options.store, options.onError);
  }

  async start(): Promise<void> {
    await this.#lease.start();
    this.#loop = this.#claimOn();
  }

  /** Claims at once instead of waiting for the next poll. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Whether it has a lease. Without one it claims nothing. */
  get isWorking(): boolean {
    return this.#lease.worker !== null && !this.#stop.signal.aborted;
  }

  /** Claims nothing more, finishes the running tasks, and returns those that take too long. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#loop;
    const grace = setTimeout(() => this.#abandon.abort(shuttingDown()), GRACE_MS);
    await Promise.all(this.#running.keys());
    clearTimeout(grace);
    await this.#lease.end();
  }

  async #claimOn(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // Created before the poll, so that no change after it is missed.
      this.#wake = Promise.withResolvers();
      try {
        if (!(await this.#claim())) await this.#waitToPoll();
      } catch (error) {
        this.#mayHoldMore = true;
        this.#options.onError(error, 'claiming tasks failed; retrying');
        await sleep(PAUSE_MS * (1 + Math.random()));
      }
    }
  }

  /** Returns whether trying again at once may be worthwhile. */
  async #claim(): Promise<boolean> {
    const { store, slots, concurrency, fullTeams, fullJobs } = this.#options;
    const { worker } = this.#lease;
    const limit = Math.min(CLAIM, slots - this.#running.size);
    if (worker === null || limit <= 0) return false;
    if (this.#mayHoldMore) await this.#returnUnknown(worker);
    const full = {
      teams: [...this.#ofTeams.from(slots * TEAM_SHARE), ...fullTeams()],
      jobs: [...this.#ofJobs.from(slots * JOB_SHARE), ...fullJobs()],
    };
    const nextAt = await store.jobs.nextReadyAt(full.teams);
    if (nextAt === null || nextAt > now()) return false;
    const tasks = await store.jobs.claim({ worker, limit, at: now(), concurrency: await concurrency(), full });
    for (const task of tasks) this.#begin(worker, task);
    // The ready tasks may belong to those who have their share: try a few more times, and then again when a task has
    // ended.
    this.#emptyClaims = tasks.length > 0 ? 0 : this.#emptyClaims + 1;
    return this.#emptyClaims < MAX_EMPTY_CLAIMS;
  }

  async #returnUnknown(worker: number): Promise<void> {
    const { store, slots } = this.#options;
    const known = new Set(this.#running.values());
    // The running tasks, and as many as one claim can have taken.
    const held = await store.jobs.held(worker, slots + CLAIM);
    const unknown = held.filter((task) => !known.has(nameOf(worker, task)));
    const ended = unknown.map((task) => ({ ...task, end: { type: 'returned' as const, runAt: now() } }));
    const complete = (some: readonly EndedTask[]) => store.jobs.complete({ worker, at: now(), ended: some, hosts: [] });
    if (ended.length > 0) await completeApart(complete, { ended, hosts: [] }, this.#options.onError);
    this.#mayHoldMore = false;
  }

  async #waitToPoll(): Promise<void> {
    const timer = setTimeout(() => this.wake(), POLL_MS);
    await this.#wake.promise;
    clearTimeout(timer);
  }

  #begin(worker: number, task: ClaimedTask): void {
    this.#ofTeams.add(task.teamId);
    this.#ofJobs.add(task.job);
    const running = this.#run(worker, task)
      .catch((error) => this.#options.onError(error, 'a task was lost'))
      .finally(() => {
        this.#running.delete(running);
        this.#ofTeams.remove(task.teamId);
        this.#ofJobs.remove(task.job);
        this.wake();
      });
    this.#running.set(running, nameOf(worker, task));
  }

  async #run(worker: number, task: ClaimedTask): Promise<void> {
    const { teamId, team, job, key, role, lane } = task;
    const { end, pace } = await this.#work(task);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended.push({
      worker,
      task: { teamId, team, job, key, role, lane, end },
      pace,
      stored: resolve,
    });
    this.#storing ??= this.#store();
    await promise;
  }

  async #work(task: ClaimedTask): Promise<{ end: TaskEnd; pace: HostPace | null }> {
    const { host, hostDelay: from, lane, team } = task;
    const tryId = newId();
    try {
      const job = await this.#jobs.find(task);
      const run = job === null ? undefined : this.#options.kinds.get(job.kind);
      // The job has just ended, or its kind belongs to a newer version.
      if (job === null || run === undefined) {
        return { end: { type: 'returned', runAt: now() + UNKNOWN_PAUSE_MS }, pace: null };
      }
      const work: JobTask = { ...task, tryId, job };
      const outcome = await run(work, this.#abandon.signal);
      switch (outcome.type) {
        case 'done': {
          const { pace, ...end } = outcome;
          return { end: { ...end, tryId }, pace: pace === undefined ? null : quickerPace(task, pace) };
        }
        case 'failed': {
          const { error, ...rest } = outcome;
          return { end: { ...rest, tryId, code: error.code, message: error.message }, pace: null };
        }
        case 'blocked':
        case 'helped':
        case 'waits':
          return { end: outcome, pace: null };
        case 'slow down': {
          const { agent, delay } = outcome;
          return {
            end: { type: 'returned', runAt: now() },
            pace: { type: 'robots', host, team, lane, agent, nextAt: now(), delay },
          };
        }
      }
    } catch (error) {
      if (!(error instanceof TrawlError)) this.#options.onError(error, 'a task failed inside the service');
      const verdict = judge(error, task.attempts, now());
      const pause = pauseOf(error);
      const end = verdict.type === 'failed' ? { ...verdict, tryId, charge: null } : verdict;
      return {
        end,
        pace: pause === null ? null : { type: 'slower', host, nextAt: now() + pause, delay: slower(from) },
      };
    }
  }

  /** Stores ended tasks in batches, until none is left. A task holds its slot until it is stored. */
  async #store(): Promise<void> {
    while (this.#ended.length > 0) {
      const batch = this.#ended.splice(0, COMPLETION);
      // After the store was unreachable there may be tasks of two leases.
      for (const [worker, ended] of Map.groupBy(batch, ({ worker }) => worker)) await this.#complete(worker, ended);
      for (const { stored } of batch) stored();
    }
    this.#storing = undefined;
  }

  async #complete(worker: number, batch: readonly Ended[]): Promise<void> {
    const { onError, onStored } = this.#options;
    const ended = batch.map(({ task }) => task);
    const hosts = batch.flatMap(({ pace }) => (pace === null ? [] : [pace]));
    const complete = (tasks: readonly EndedTask[], paces: readonly HostPace[]) =>
      this.#write({ worker, at: now(), ended: tasks, hosts: paces });
    await completeApart(complete, { ended, hosts }, onError);
    onStored(new Set(ended.map(({ job }) => job)));
  }

  /**
   * Retries the write until it is done, refused, or others have the tasks. A worker that ends waits for the store no
   * longer than its lease.
   */
  async #write(completion: TaskCompletion): Promise<void> {
    while (this.#lease.isStill(completion.worker) && !(this.#abandon.signal.aborted && this.#lease.worker === null)) {
      try {
        return await this.#options.store.jobs.complete(completion);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        this.#options.onError(error, 'storing tasks failed; retrying');
        await sleep(PAUSE_MS * (1 + Math.random()));
      }
    }
  }
}

function quickerPace({ host, team, lane, hostDelay }: ClaimedTask, pace: LearnedPace): HostPace {
  if (pace.type === 'bears') return { type: 'quicker', host, from: hostDelay, to: pace.delay };
  return { type: 'robots', host, team, lane, agent: pace.agent, nextAt: now(), delay: pace.delay };
}

/** Names one try of a task. The same process may claim the task again after its worker's lease has expired. */
function nameOf(worker: number, { job, key }: Pick<ClaimedTask, 'job' | 'key'>): string {
  return `${worker} ${job} ${key}`;
}

function shuttingDown(): TrawlError {
  return new TrawlError('SHUTTING_DOWN', 'The service is shutting down.');
}
