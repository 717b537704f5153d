import { FairLine } from './fair-line.ts';
import { Shares } from './shares.ts';

/** A part of a room. Disposing releases it, or stops waiting for it. */
export interface Place extends Disposable {
  /** Whether it was granted at once. */
  readonly isHeld: boolean;
}

interface Request {
  share: string;
  amount: number;
  state: 'waiting' | 'held' | 'left';
  onGranted: () => void;
}

/**
 * A bounded room that shares divide by the rule of `Shares`. Callers wait for a place in order within a share, and in
 * turn between shares. Nobody overtakes a share that holds nothing, so small requests cannot starve a large one.
 */
export class FairRoom {
  readonly #size: number;
  readonly #shares: Shares;
  readonly #line = new FairLine<Request>();

  constructor(size: number) {
    this.#size = size;
    this.#shares = new Shares(size);
  }

  /**
   * @param amount more than the size of the room means all of it
   * @param onGranted called when the place is granted, unless it was granted at once
   */
  ask(share: string, amount: number, onGranted: (place: Place) => void): Place {
    const request: Request = { share, amount: Math.min(amount, this.#size), state: 'waiting', onGranted: () => {} };
    this.#line.add(share, request);
    this.#grant();
    const place = { isHeld: request.state === 'held', [Symbol.dispose]: () => this.#leave(request) };
    request.onGranted = () => onGranted(place);
    return place;
  }

  /** Resolves with a place when it is granted. Throws the reason of `signal` if that comes first. */
  async enter(share: string, amount: number, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const granted = Promise.withResolvers<void>();
    const place = this.ask(share, amount, () => granted.resolve());
    if (place.isHeld) return place;
    const giveUp = () => granted.resolve();
    signal.addEventListener('abort', giveUp, { once: true });
    await granted.promise;
    signal.removeEventListener('abort', giveUp);
    if (signal.aborted) place[Symbol.dispose]();
    signal.throwIfAborted();
    return place;
  }

  /** Nobody holds a place or waits for one. */
  get isEmpty(): boolean {
    return this.#shares.taken === 0 && this.#line.size === 0;
  }

  #leave(request: Request): void {
    const { share, amount, state } = request;
    if (state === 'left') return;
    request.state = 'left';
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
