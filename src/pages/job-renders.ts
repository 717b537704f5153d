import { TrawlError } from '../errors.ts';

/** Enough to keep the browser busy with one job: half of them are open in it, the others wait to be. */
const MOST_OF_JOB = 8;
/** For all jobs of a process: a page waits some seconds for its turn in the browser, which is part of its time limit. */
const MOST = 24;

/**
 * Bounds the pages of jobs that are in the browser or wait for it. A task that waits holds a slot of the worker: without a
 * bound, one batch of rendered pages held half of the slots, and two of them all, and nobody's static pages began.
 */
export class JobRenders {
  readonly #ofJobs = new Map<number, number>();
  #all = 0;

  /** The jobs of which no more tasks should begin: they have enough pages in the browser, or all jobs together have. */
  get full(): number[] {
    const jobs = [...this.#ofJobs];
    return jobs.filter(([, count]) => this.#all >= MOST || count >= MOST_OF_JOB).map(([job]) => job);
  }

  /** Renders a page of a job. Throws OVERLOADED when there are too many: the task goes back to the queue, as if not tried. */
  async run<Page>(job: number, render: () => Promise<Page>): Promise<Page> {
    // Tasks that were claimed together come at once, before anything is full.
    if (this.#all >= MOST || this.#of(job) >= MOST_OF_JOB) {
      throw new TrawlError('OVERLOADED', 'Too many pages are waiting for the browser. Try again in a moment.', {
        headers: { 'retry-after': '1' },
      });
    }
    this.#count(job, 1);
    try {
      return await render();
    } finally {
      this.#count(job, -1);
    }
  }

  #of(job: number): number {
    return this.#ofJobs.get(job) ?? 0;
  }

  #count(job: number, more: 1 | -1): void {
    const count = this.#of(job) + more;
    if (count === 0) this.#ofJobs.delete(job);
    else this.#ofJobs.set(job, count);
    this.#all += more;
  }
}
