import { FairSemaphore, type Permit } from '../fair-semaphore.ts';

/** A body up to this size reserves no memory. */
export const USUAL_BODY_BYTES = 2 * 1024 * 1024;
/**
 * Memory is reserved as bytes arrive, in steps of this size. A declared length reserves nothing, because it costs the sender
 * nothing.
 */
const PIECE_BYTES = 4 * 1024 * 1024;
/** How often bodies are checked while some wait for memory. */
const CHECK_MS = 10_000;
/** While others wait, a body that holds memory has to deliver this much between two checks: 10 KB a second. */
const MIN_BYTES = 100_000;

/**
 * Memory for large bodies, shared fairly by all that are read at the same time. Reading of a body that gets no memory pauses, so
 * its sender has to wait.
 *
 * Bodies that each hold part of the memory could wait for each other forever. Therefore one body at a time may grow without
 * limit, in turn between shares: it always reaches its end, and then it is the next one's turn. A body that holds memory but
 * hardly grows fails, but only while others wait for memory: before that it does no harm.
 */
export class LargeBodies {
  /** Bytes, taken piece by piece. */
  readonly pieces: FairSemaphore;
  /** For the one body that may grow without limit. */
  readonly unbounded = new FairSemaphore(1);
  readonly #open = new Set<LargeBody>();
  #checkTimer: NodeJS.Timeout | undefined;

  /** @param bytes for all bodies together, except the one that may grow without limit */
  constructor(bytes: number) {
    this.pieces = new FairSemaphore(bytes);
  }

  /** @param onTooSlow called once, when the body has to release its memory */
  open(share: string, onTooSlow: () => void): LargeBody {
    const body = new LargeBody(this, share, onTooSlow);
    this.#open.add(body);
    return body;
  }

  close(body: LargeBody): void {
    this.#open.delete(body);
  }

  /** Checks all bodies periodically, as long as one waits. */
  watch(): void {
    if (this.#checkTimer !== undefined) return;
    for (const body of this.#open) body.mark();
    this.#checkTimer = setInterval(() => this.#check(), CHECK_MS);
    this.#checkTimer.unref();
  }

  #check(): void {
    if (![...this.#open].some((body) => body.isWaiting)) {
      clearInterval(this.#checkTimer);
      this.#checkTimer = undefined;
      return;
    }
    for (const body of this.#open) if (!body.isWaiting) body.check();
  }
}

/** A body that is being read. Disposing of it releases its memory. */
export class LargeBody implements Disposable {
  readonly #bodies: LargeBodies;
  readonly #share: string;
  readonly #onTooSlow: () => void;
  readonly #held: Permit[] = [];
  #waiting: Permit[] = [];
  #size = 0;
  #granted = USUAL_BODY_BYTES;
  /** Its size at the last check, if it existed then and has not waited since. */
  #marked: number | undefined;

  constructor(bodies: LargeBodies, share: string, onTooSlow: () => void) {
    this.#bodies = bodies;
    this.#share = share;
    this.#onTooSlow = onTooSlow;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Returns whether the body may grow to this size. If not, `onGranted` is called as soon as it may. */
  grow(size: number, onGranted: () => void): boolean {
    this.#size = size;
    // Bytes that arrive while it waits were already on their way.
    if (this.isWaiting) return false;
    return size <= this.#granted || this.#request(onGranted);
  }

  mark(): void {
    this.#marked = this.#size;
  }

  check(): void {
    const isSlow = this.#marked !== undefined && this.#size - this.#marked < MIN_BYTES;
    this.mark();
    if (isSlow) this.#onTooSlow();
  }

  [Symbol.dispose](): void {
    this.#bodies.close(this);
    for (const permit of [...this.#held, ...this.#waiting]) permit[Symbol.dispose]();
    this.#waiting = [];
  }

  #request(onGranted: () => void): boolean {
    const { pieces, unbounded } = this.#bodies;
    const later = (bytes: number) => (permit: Permit) => {
      this.#take(permit, bytes);
      this.#marked = undefined;
      onGranted();
    };
    const piece = pieces.request(this.#share, PIECE_BYTES, later(PIECE_BYTES));
    if (piece.isHeld) return this.#take(piece, PIECE_BYTES);
    const all = unbounded.request(this.#share, 1, later(Number.POSITIVE_INFINITY));
    this.#waiting = [piece, all];
    if (all.isHeld) return this.#take(all, Number.POSITIVE_INFINITY);
    this.#bodies.watch();
    return false;
  }

  /** Keeps one permit, and stops waiting for the other. */
  #take(permit: Permit, bytes: number): true {
    this.#held.push(permit);
    this.#granted += bytes;
    const others = this.#waiting.filter((other) => other !== permit);
    this.#waiting = [];
    for (const other of others) other[Symbol.dispose]();
    return true;
  }
}
