import type { JobRef } from '../store/operations/jobs/rows.ts';
import type { Store } from '../store/store.ts';
import type { TaskJob } from './task.ts';

/** Total characters of the options of cached jobs. Typical options take one kilobyte. */
const MAX_CHARS = 20_000_000;
/** Thrown for a job that has already ended. */
const MIN_CHARS = 100;

export interface KnownJob extends TaskJob {
  kind: string;
}

/** Caches what workers need to know of a job, so that it is not read for each task. */
export class JobCache {
  readonly #store: Store;
  readonly #jobs = new Map<number, Promise<KnownJob | null>>();
  #chars = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Null when the job has ended and its options are gone. */
  find({ team, job }: JobRef): Promise<KnownJob | null> {
    const known = this.#jobs.get(job);
    if (known !== undefined) return known;
    const reading = this.#read({ team, job });
    this.#jobs.set(job, reading);
    reading.catch(() => this.#jobs.delete(job));
    return reading;
  }

  async #read(ref: JobRef): Promise<KnownJob | null> {
    const work = await this.#store.jobs.work(ref);
    this.#chars += MIN_CHARS + (work?.options?.length ?? 0);
    if (this.#chars > MAX_CHARS) this.#forget();
    if (work === null || work.options === null) return null;
    return { ...work, options: work.options };
  }

  #forget(): void {
    this.#jobs.clear();
    this.#chars = 0;
  }
}
