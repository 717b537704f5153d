import type { Store } from '../store/store.ts';
import type { PageJob } from './page-work.ts';

/** Jobs that are remembered. Each is some kilobytes: what was asked for. */
const MOST = 1_000;

export interface KnownJob extends PageJob {
  kind: string;
}

/** What has to be known of a job is read once, and not for each of its pages. */
export class JobCache {
  readonly #store: Store;
  readonly #jobs = new Map<number, Promise<KnownJob | null>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Null when the job has ended, and nothing is known of it any more. */
  find(number: number): Promise<KnownJob | null> {
    const known = this.#jobs.get(number);
    if (known !== undefined) return known;
    if (this.#jobs.size >= MOST) this.#jobs.clear();
    const reading = this.#read(number);
    this.#jobs.set(number, reading);
    reading.catch(() => this.#jobs.delete(number));
    return reading;
  }

  async #read(number: number): Promise<KnownJob | null> {
    const work = await this.#store.jobs.work(number);
    if (work === null || work.options === null) return null;
    return { ...work, number, options: work.options };
  }
}
