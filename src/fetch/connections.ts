import { FairSemaphore } from '../fair-semaphore.ts';

/**
 * One share alone gets half of them; the rest is for the others. The pace of a crawl on one host is limited elsewhere.
 */
export const CONNECTIONS_PER_ORIGIN = 128;

/** The running requests to each origin. */
class Connections {
  readonly #semaphores = new Map<string, FairSemaphore>();

  /** Resolves when it is the share's turn. Throws the reason of `signal` if that comes first. */
  async enter(origin: string, share: string, signal: AbortSignal): Promise<Disposable> {
    const semaphore = this.#semaphores.get(origin) ?? new FairSemaphore(CONNECTIONS_PER_ORIGIN);
    this.#semaphores.set(origin, semaphore);
    const forget = () => {
      if (semaphore.isEmpty) this.#semaphores.delete(origin);
    };
    try {
      const permit = await semaphore.acquire(share, 1, signal);
      // undici frees the connection in the next turn of the event loop: an earlier request would open another one.
      return {
        [Symbol.dispose]() {
          setImmediate(() => {
            permit[Symbol.dispose]();
            forget();
          });
        },
      };
    } catch (error) {
      forget();
      throw error;
    }
  }
}

/** One for this process, whatever the route. */
export const connections = new Connections();
