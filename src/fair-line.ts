/**
 * A queue that is first come, first served within a share. Between shares, the one goes first that has used the least
 * since it began to wait (start-time fair queueing). Each turn costs 1; `charge` adds its actual cost.
 */
export class FairLine<Item> {
  readonly #lines = new Map<string, Set<Item>>();
  readonly #used = new Map<string, number>();
  /** The usage of the share that went last. Newcomers begin there, so that no share saves up turns while away. */
  #level = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(share: string, item: Item): void {
    const line = this.#lines.get(share);
    if (line === undefined) {
      this.#lines.set(share, new Set([item]));
      this.#used.set(share, Math.max(this.#usedBy(share), this.#level));
    } else line.add(item);
    this.#size += 1;
  }

  delete(share: string, item: Item): void {
    const line = this.#lines.get(share);
    if (!line?.delete(item)) return;
    this.#size -= 1;
    if (line.size === 0) this.#lines.delete(share);
    // No competition is left: all start again from 0.
    if (this.#size === 0) this.#used.clear();
  }

  /** Removes and returns the next item that may go. Only the first item of each share is checked. */
  take(mayGo: (share: string, item: Item) => boolean = () => true): Item | undefined {
    for (const [share, line] of this.#inTurn()) {
      const [first] = line;
      if (first === undefined || !mayGo(share, first)) continue;
      this.#level = Math.max(this.#level, this.#usedBy(share));
      this.charge(share, 1);
      this.delete(share, first);
      this.#forget();
      return first;
    }
    return undefined;
  }

  /** Adds the cost of a turn to this share. */
  charge(share: string, cost: number): void {
    if (this.#size > 0) this.#used.set(share, this.#usedBy(share) + cost);
  }

  /** Forgets shares that do not wait and would begin at the level if they came back. */
  #forget(): void {
    if (this.#used.size < 2 * this.#lines.size + 100) return;
    for (const [share, used] of this.#used) {
      if (used <= this.#level && !this.#lines.has(share)) this.#used.delete(share);
    }
  }

  #inTurn(): Iterable<[share: string, line: Set<Item>]> {
    if (this.#lines.size < 2) return this.#lines;
    return [...this.#lines].sort(([one], [other]) => this.#usedBy(one) - this.#usedBy(other));
  }

  #usedBy(share: string): number {
    return this.#used.get(share) ?? 0;
  }
}
