/** Tells those who watch a job that this process has stored something of it. What other processes do it does not know. */
export class JobNews {
  readonly #listeners = new Map<number, Set<() => void>>();

  /** @param jobs by their numbers */
  tell(jobs: Iterable<number>): void {
    for (const job of jobs) {
      for (const onNews of this.#listeners.get(job) ?? []) onNews();
    }
  }

  /** Calls back with all news of a job, until it is disposed of. */
  listen(job: number, onNews: () => void): Disposable {
    const listeners = this.#listeners.get(job) ?? new Set();
    this.#listeners.set(job, listeners.add(onNews));
    return {
      [Symbol.dispose]: () => {
        listeners.delete(onNews);
        if (listeners.size === 0) this.#listeners.delete(job);
      },
    };
  }
}
