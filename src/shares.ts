/**
 * Counts how much of a common resource each share holds: memory, threads, connections. A share is a party that must not
 * crowd out the others; here it is an opaque name.
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

  /** @param amount the amount taken, or negative for an amount given back */
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
