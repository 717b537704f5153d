/**
 * Counts who holds how much of something that all share: memory, threads, connections. A share is whoever must not crowd
 * out the others; here its name is just text.
 *
 * A share that holds something gets more only up to half of what the others leave. So a newcomer always finds some: one
 * share alone holds at most a half, two hold a third each, and a third or a quarter of the whole stays free.
 */
export class Shares {
  readonly #size: number;
  #taken = 0;
  readonly #held = new Map<string, number>();

  constructor(size: number) {
    this.#size = size;
  }

  /** A share that holds nothing may take whatever is free. */
  mayTake(share: string, amount: number): boolean {
    const own = this.of(share);
    if (amount > this.#size - this.#taken) return false;
    const others = this.#taken - own;
    return own === 0 || own + amount <= Math.ceil((this.#size - others) / 2);
  }

  /** @param amount what it takes, or less than 0 for what it gives back */
  add(share: string, amount: number): void {
    this.#taken += amount;
    const held = this.of(share) + amount;
    if (held > 0) this.#held.set(share, held);
    else this.#held.delete(share);
  }

  /** How much a share holds. */
  of(share: string): number {
    return this.#held.get(share) ?? 0;
  }

  /** How much all shares hold together. */
  get taken(): number {
    return this.#taken;
  }

  /** The shares that hold something. */
  get holders(): Iterable<string> {
    return this.#held.keys();
  }
}
