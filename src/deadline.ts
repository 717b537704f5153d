import { TrawlError } from './errors.ts';

/**
 * One object carries the time limit and the cancellation of a request through every step. Steps pass `signal` to
 * anything that takes an AbortSignal, and call `check()` between pieces of work that do not. The creator of a Deadline
 * disposes of it (`using deadline = new Deadline(…)`), which clears its timer.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #endsAt: number;
  readonly #parent: AbortSignal | undefined;
  readonly #onParentAbort = () => this.#controller.abort(this.#parent?.reason);

  /**
   * @param limit milliseconds from now; @param parent cancels this deadline too, for example when the client
   * disconnects
   */
  constructor(limit: number, parent?: AbortSignal) {
    // performance.now, because a changed system clock must not shorten or extend a request.
    this.#endsAt = performance.now() + limit;
    this.#parent = parent;
    this.#timer = setTimeout(() => this.#controller.abort(timeoutError(limit)), limit);
    this.#timer.unref();
    if (parent?.aborted) this.#onParentAbort();
    else parent?.addEventListener('abort', this.#onParentAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds left, never negative. */
  get remaining(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Throws the reason when the time is up or the work was cancelled. */
  check(): void {
    // The timer cannot fire while synchronous work blocks the event loop, so the clock is checked too.
    if (!this.signal.aborted && this.remaining === 0) this.#controller.abort(timeoutError());
    this.signal.throwIfAborted();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#parent?.removeEventListener('abort', this.#onParentAbort);
  }
}

function timeoutError(limit?: number): TrawlError {
  const after = limit === undefined ? 'in time' : `within ${limit} ms`;
  return new TrawlError(
    'SCRAPE_TIMEOUT',
    `The page could not be delivered ${after}. Raise "timeout" (at most 300000) or ask for less.`,
  );
}
