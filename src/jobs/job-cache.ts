import type { JobRef } from '../store/operations/jobs/rows.ts';
import type { Store } from '../store/store.ts';
import type { TaskJob } from './task.ts';

/** Characters of what was asked for in the jobs that are remembered. Of usual ones they are one kilobyte each. */
const MOST_CHARS = 20_000_000;
/** Of a job that has ended already. */
const LEAST_CHARS = 100;

export interface KnownJob extends TaskJob {
  kind: string;
}

/** What has to be known of a job is read once, and not for each of its tasks. */
export class JobCache {
  readonly #store: Store;
  readonly #jobs = new Map<number, Promise<KnownJob | null>>();
  #chars = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Null when the job has ended, and nothing is known of it any more. */
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
    this.#chars += LEAST_CHARS + (work?.options?.length ?? 0);
    if (this.#chars > MOST_CHARS) this.#forget();
    if (work === null || work.options === null) return null;
    return { ...work, options: work.options };
  }

  #forget(): void {
    this.#jobs.clear();
    this.#chars = 0;
  }
}
