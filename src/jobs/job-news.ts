/**
 * Notifies watchers of a job when this process has stored something of it. It does not see the writes of other
 * processes.
 */
export class JobNews {
  readonly #listeners = new Map<number, Set<() => void>>();

  /** @param jobs by their numbers */
  tell(jobs: Iterable<number>): void {
    for (const job of jobs) {
      for (const onNews of this.#listeners.get(job) ?? []) onNews();
    }
  }

  /** Calls back on every change of a job, until disposed of. */
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
