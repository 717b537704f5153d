/** Memory that is set aside, or waited for. Disposing gives it back, or no longer waits for it. */
export interface Reservation extends Disposable {
  /** Resolves once it is there. */
  readonly granted: Promise<void>;
}

interface Waiting {
  bytes: number;
  grant: () => void;
}

/** Memory for what is large, shared by all who need some at the same time. Who finds none waits, in the order of coming. */
export class MemoryRoom {
  readonly #size: number;
  #free: number;
  readonly #waiting = new Set<Waiting>();

  /** @param size in bytes */
  constructor(size: number) {
    this.#size = size;
    this.#free = size;
  }

  /**
   * All that will be needed has to be asked for in one piece: two that have half of it each would wait for each other.
   *
   * @param bytes more than there is counts as all of it
   */
  reserve(bytes: number): Reservation {
    const granted = Promise.withResolvers<void>();
    const waiting: Waiting = { bytes: Math.min(bytes, this.#size), grant: granted.resolve };
    this.#waiting.add(waiting);
    this.#grant();
    let isHeld = true;
    return {
      granted: granted.promise,
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        if (!this.#waiting.delete(waiting)) this.#free += waiting.bytes;
        this.#grant();
      },
    };
  }

  #grant(): void {
    for (const waiting of this.#waiting) {
      if (waiting.bytes > this.#free) return;
      this.#waiting.delete(waiting);
      this.#free -= waiting.bytes;
      waiting.grant();
    }
  }
}
