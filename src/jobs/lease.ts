import { newId, now } from '../clock.ts';
import type { EndedTask, TaskEnd } from '../store/operations/jobs/end-task.ts';
import type { HeldTask } from '../store/operations/jobs/workers.ts';
import type { Store } from '../store/store.ts';
import { completeApart } from './complete-apart.ts';

/**
 * What a worker holds is handed on when it has not been heard of for so long. On several machines their clocks have to
 * agree to within some seconds, as NTP has them; were they further apart, work would be done twice and counted once.
 */
const LEASE_MS = 10_000;
const BEAT_MS = 3_000;

/** Pages of a lost worker that are handed on in one write. */
const STEP = 200;
/** A page whose worker was lost this often is what ended it, as it seems: it fails instead of ending the next one. */
const MOST_LOSSES = 5;

/** The lease that a worker renews as long as it lives; at each beat it also hands on what others held that do not. */
export class Lease {
  readonly #store: Store;
  readonly #onError: (error: unknown, what: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #worker: number | null = null;
  #until = 0;
  /** While the store was away nobody could renew a lease: then all have the time of one to do it. */
  #handsOnFrom = 0;

  constructor(store: Store, onError: (error: unknown, what: string) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** The worker's number; null while it has no lease, and must not work. */
  get worker(): number | null {
    return this.#until > now() ? this.#worker : null;
  }

  /** Whether this is still the worker's number, so far as is known. It may be without having a lease just now. */
  isStill(worker: number): boolean {
    return this.#worker === worker;
  }

  /** Never rejects: what fails is tried again at the next beat. */
  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => {
      // One may take longer, when the way to the store is cut without a word.
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
      });
    }, BEAT_MS);
  }

  /** Gives the lease up. What is still held goes on to others when it is over. Never rejects. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    const worker = this.#worker;
    this.#worker = null;
    if (worker === null) return;
    await this.#store.jobs.removeWorker(worker).catch((error) => this.#onError(error, 'the worker was not signed off'));
  }

  async #beat(): Promise<void> {
    try {
      const until = now() + LEASE_MS;
      if (this.#worker !== null && (await this.#store.jobs.renewWorker(this.#worker, until))) this.#until = until;
      else await this.#take();
      if (now() >= this.#handsOnFrom) await handOn(this.#store, this.#onError);
    } catch (error) {
      this.#handsOnFrom = now() + LEASE_MS;
      this.#onError(error, 'the lease of the worker was not renewed; it is tried again');
    }
  }

  async #take(): Promise<void> {
    const until = now() + LEASE_MS;
    this.#worker = await this.#store.jobs.addWorker(until);
    this.#until = until;
  }
}

/**
 * Hands on the pages of workers whose lease is over. Several processes may do it at once: each page counts once. A worker
 * whose pages the store refuses to hand on is left for the next beat, so that it cannot hold up the others.
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
  if (losses + 1 < MOST_LOSSES) return { type: 'lost' };
  return {
    type: 'failed',
    tryId: newId(),
    code: 'INTERNAL_ERROR',
    message: `The process that worked on this ended before it was done, ${MOST_LOSSES} times. It may need more memory than there is.`,
    charge: null,
  };
}
