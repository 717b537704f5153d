/** A queue that is first come, first served within a share and takes turns between shares. */
export class FairLine<Item> {
  /** The share whose turn is next comes first. */
  readonly #lines = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Whether anything of this share waits. */
  has(share: string): boolean {
    return this.#lines.has(share);
  }

  add(share: string, item: Item): void {
    const line = this.#lines.get(share);
    if (line === undefined) this.#lines.set(share, new Set([item]));
    else line.add(item);
    this.#size += 1;
  }

  delete(share: string, item: Item): void {
    const line = this.#lines.get(share);
    if (!line?.delete(item)) return;
    this.#size -= 1;
    if (line.size === 0) this.#lines.delete(share);
  }

  /** Removes and returns the next item that may go: of each share the first one is asked about. */
  take(mayGo: (share: string, item: Item) => boolean = () => true): Item | undefined {
    for (const [share, line] of this.#lines) {
      const [first] = line;
      if (first === undefined || !mayGo(share, first)) continue;
      this.delete(share, first);
      // It had its turn.
      if (this.#lines.delete(share)) this.#lines.set(share, line);
      return first;
    }
    return undefined;
  }
}
