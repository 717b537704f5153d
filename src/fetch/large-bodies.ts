import { FairSemaphore, type Permit } from '../fair-semaphore.ts';

/** Up to this size a body needs no room of its own. */
export const USUAL_BODY_BYTES = 2 * 1024 * 1024;
/**
 * Room is reserved as bytes arrive, in steps of this size. A declared length costs the sender nothing, and reserves
 * nothing.
 */
const PIECE_BYTES = 4 * 1024 * 1024;
/** How often bodies are checked while some wait for room. */
const LOOK_MS = 10_000;
/** While others wait, a body with room has to deliver this much between two checks: 10 KB a second. */
const LEAST_BYTES = 100_000;

/**
 * Memory for large bodies, shared fairly by all that are read at the same time. A body without room is not read on, so
 * its sender has to wait.
 *
 * Bodies that each hold a part of the room could wait for each other forever. Therefore one body at a time, in turn
 * between shares, may grow without asking: it always reaches its end, and then it is the next one's turn. A body that
 * holds room and hardly grows fails, but only while others wait for room: before that it harms nobody.
 */
export class LargeBodies {
  /** For pieces. */
  readonly pieces: FairSemaphore;
  /** For the one body that may grow without asking. */
  readonly unbounded = new FairSemaphore(1);
  readonly #open = new Set<LargeBody>();
  #looking: NodeJS.Timeout | undefined;

  /** @param bytes for all bodies together, besides the one that may grow without asking */
  constructor(bytes: number) {
    this.pieces = new FairSemaphore(bytes);
  }

  /** @param onTooSlow called once when the body has to give up its room */
  open(share: string, onTooSlow: () => void): LargeBody {
    const body = new LargeBody(this, share, onTooSlow);
    this.#open.add(body);
    return body;
  }

  close(body: LargeBody): void {
    this.#open.delete(body);
  }

  /** Checks all bodies from time to time, for as long as one waits. */
  watch(): void {
    if (this.#looking !== undefined) return;
    for (const body of this.#open) body.mark();
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
    this.#looking.unref();
  }

  #look(): void {
    if (![...this.#open].some((body) => body.isWaiting)) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    for (const body of this.#open) if (!body.isWaiting) body.look();
  }
}

/** A body that is being read. Disposing releases its room. */
export class LargeBody implements Disposable {
  readonly #bodies: LargeBodies;
  readonly #share: string;
  readonly #onTooSlow: () => void;
  readonly #held: Permit[] = [];
  #waiting: Permit[] = [];
  #size = 0;
  #room = USUAL_BODY_BYTES;
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

  /** Whether there is room for a body of this size. If not, `onRoom` is called when there is. */
  grow(size: number, onRoom: () => void): boolean {
    this.#size = size;
    // Bytes that arrive while it waits were already on their way.
    if (this.isWaiting) return false;
    return size <= this.#room || this.#ask(onRoom);
  }

  mark(): void {
    this.#marked = this.#size;
  }

  look(): void {
    const isSlow = this.#marked !== undefined && this.#size - this.#marked < LEAST_BYTES;
    this.mark();
    if (isSlow) this.#onTooSlow();
  }

  [Symbol.dispose](): void {
    this.#bodies.close(this);
    for (const permit of [...this.#held, ...this.#waiting]) permit[Symbol.dispose]();
    this.#waiting = [];
  }

  #ask(onRoom: () => void): boolean {
    const { pieces, unbounded } = this.#bodies;
    const later = (room: number) => (permit: Permit) => {
      this.#take(permit, room);
      this.#marked = undefined;
      onRoom();
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
  #take(permit: Permit, room: number): true {
    this.#held.push(permit);
    this.#room += room;
    const others = this.#waiting.filter((other) => other !== permit);
    this.#waiting = [];
    for (const other of others) other[Symbol.dispose]();
    return true;
  }
}
