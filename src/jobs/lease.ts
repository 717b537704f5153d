import { newId, now } from '../clock.ts';
import type { EndedTask, TaskEnd } from '../store/operations/jobs/end-task.ts';
import type { HeldTask } from '../store/operations/jobs/workers.ts';
import type { Store } from '../store/store.ts';
import { completeApart } from './complete-apart.ts';

/**
 * The tasks of a worker go to others when it has not renewed its lease for this long. The clocks of several machines
 * have to agree to within some seconds, as with NTP; if they are further apart, work is done twice and counted once.
 */
const LEASE_MS = 10_000;
const BEAT_MS = 3_000;

/** Tasks of a lost worker that are handed on in one write. */
const STEP = 200;
/** A task whose worker was lost this often probably caused it: the task fails instead of ending the next worker. */
const MAX_LOSSES = 5;

/**
 * The lease that a worker renews as long as it lives. Each beat also hands on the tasks of workers whose lease has
 * expired.
 */
export class Lease {
  readonly #store: Store;
  readonly #onError: (error: unknown, what: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #worker: number | null = null;
  #until = 0;
  /**
   * While the store was unreachable nobody could renew a lease. Afterwards every worker gets the time of one lease to
   * do so.
   */
  #handsOnFrom = 0;

  constructor(store: Store, onError: (error: unknown, what: string) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** The worker's number; null while it has no lease and must not work. */
  get worker(): number | null {
    return this.#until > now() ? this.#worker : null;
  }

  /** Whether this is still the worker's number, as far as known. It may have no lease at the moment. */
  isStill(worker: number): boolean {
    return this.#worker === worker;
  }

  /** Never rejects: a failure is retried at the next beat. */
  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => {
      // A beat may take longer when the connection to the store breaks without an error.
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
      });
    }, BEAT_MS);
  }

  /** Gives the lease up. Tasks that are still held go to others when it expires. Never rejects. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    const worker = this.#worker;
    this.#worker = null;
    if (worker === null) return;
    await this.#store.jobs
      .removeWorker(worker)
      .catch((error) => this.#onError(error, 'the worker could not be signed off'));
  }

  async #beat(): Promise<void> {
    try {
      const until = now() + LEASE_MS;
      if (this.#worker !== null && (await this.#store.jobs.renewWorker(this.#worker, until))) this.#until = until;
      else await this.#take();
      if (now() >= this.#handsOnFrom) await handOn(this.#store, this.#onError);
    } catch (error) {
      this.#handsOnFrom = now() + LEASE_MS;
      this.#onError(error, 'the worker could not renew its lease; retrying');
    }
  }

  async #take(): Promise<void> {
    const until = now() + LEASE_MS;
    this.#worker = await this.#store.jobs.addWorker(until);
    this.#until = until;
  }
}

/**
 * Hands on the tasks of workers whose lease has expired. Several processes may do this at once: each task counts once.
 * If the store refuses to hand on a worker's tasks, the next beat tries again, so that this worker cannot delay the
 * others.
 */
async function handOn(store: Store, onError: (error: unknown, what: string) => void): Promise<void> {
  const stuck: number[] = [];
  for (;;) {
    const lost = await store.jobs.lostWorker(STEP, stuck);
    if (lost === null) return;
    const { worker, tasks } = lost;
    if (tasks.length === 0) await store.jobs.removeWorker(worker);
    const ended = tasks.map((task) => ({ ...task, end: endOf(task) }));
    const complete = (some: readonly EndedTask[]) => store.jobs.complete({ worker, at: now(), ended: some, hosts: [] });
    const count = tasks.length === 0 ? 0 : await completeApart(complete, { ended, hosts: [] }, onError);
    if (count === 0) stuck.push(worker);
  }
}

function endOf({ losses }: HeldTask): TaskEnd {
  if (losses + 1 < MAX_LOSSES) return { type: 'lost' };
  return {
    type: 'failed',
    tryId: newId(),
    code: 'INTERNAL_ERROR',
    message: `The process working on this page ended before it was done, ${MAX_LOSSES} times. The page may need more memory than is available.`,
    charge: null,
  };
}
