import { FairLine } from './fair-line.ts';
import { Shares } from './shares.ts';

/** A part of a semaphore's capacity. Disposing releases it, or stops waiting for it. */
export interface Permit extends Disposable {
  /** Whether it was granted at once. */
  readonly isHeld: boolean;
}

interface Request {
  share: string;
  amount: number;
  state: 'waiting' | 'held' | 'released';
  onGranted: () => void;
}

/**
 * A semaphore whose capacity is divided by the rule of `Shares`. Callers of one share wait in order, and shares take
 * turns. Nobody overtakes a share that holds nothing, so small requests cannot starve a large one.
 */
export class FairSemaphore {
  readonly #size: number;
  readonly #shares: Shares;
  readonly #line = new FairLine<Request>();

  constructor(size: number) {
    this.#size = size;
    this.#shares = new Shares(size);
  }

  /**
   * @param amount more than the size means all of it
   * @param onGranted called when the permit is granted, unless it was granted at once
   */
  request(share: string, amount: number, onGranted: (permit: Permit) => void): Permit {
    const request: Request = { share, amount: Math.min(amount, this.#size), state: 'waiting', onGranted: () => {} };
    this.#line.add(share, request);
    this.#grant();
    const permit = { isHeld: request.state === 'held', [Symbol.dispose]: () => this.#release(request) };
    request.onGranted = () => onGranted(permit);
    return permit;
  }

  /** Resolves when the permit is granted. Throws the reason of `signal` if that comes first. */
  async acquire(share: string, amount: number, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const granted = Promise.withResolvers<void>();
    const permit = this.request(share, amount, () => granted.resolve());
    if (permit.isHeld) return permit;
    const giveUp = () => granted.resolve();
    signal.addEventListener('abort', giveUp, { once: true });
    await granted.promise;
    signal.removeEventListener('abort', giveUp);
    if (signal.aborted) permit[Symbol.dispose]();
    signal.throwIfAborted();
    return permit;
  }

  /** Whether no permit is held or requested. */
  get isEmpty(): boolean {
    return this.#shares.taken === 0 && this.#line.size === 0;
  }

  #release(request: Request): void {
    const { share, amount, state } = request;
    if (state === 'released') return;
    request.state = 'released';
    if (state === 'held') this.#shares.add(share, -amount);
    else this.#line.delete(share, request);
    this.#grant();
  }

  #grant(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      next.state = 'held';
      this.#shares.add(next.share, next.amount);
      next.onGranted();
    }
  }

  #next(): Request | undefined {
    let isBlocked = false;
    return this.#line.take((share, { amount }) => {
      if (isBlocked) return false;
      if (this.#shares.mayTake(share, amount)) return true;
      isBlocked = this.#shares.of(share) === 0;
      return false;
    });
  }
}
