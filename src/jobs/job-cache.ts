import type { Store } from '../store/store.ts';
import type { PageJob } from './page-work.ts';

/** Characters of what was asked for in the jobs that are remembered. Of usual ones they are one kilobyte each. */
const MOST_CHARS = 20_000_000;
/** Of a job that has ended already. */
const LEAST_CHARS = 100;

export interface KnownJob extends PageJob {
  kind: string;
}

/** What has to be known of a job is read once, and not for each of its pages. */
export class JobCache {
  readonly #store: Store;
  readonly #jobs = new Map<number, Promise<KnownJob | null>>();
  #chars = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Null when the job has ended, and nothing is known of it any more. */
  find(number: number): Promise<KnownJob | null> {
    const known = this.#jobs.get(number);
    if (known !== undefined) return known;
    const reading = this.#read(number);
    this.#jobs.set(number, reading);
    reading.catch(() => this.#jobs.delete(number));
    return reading;
  }

  async #read(number: number): Promise<KnownJob | null> {
    const work = await this.#store.jobs.work(number);
    this.#chars += LEAST_CHARS + (work?.options?.length ?? 0);
    if (this.#chars > MOST_CHARS) this.#forget();
    if (work === null || work.options === null) return null;
    return { ...work, number, options: work.options };
  }

  #forget(): void {
    this.#jobs.clear();
    this.#chars = 0;
  }
}
