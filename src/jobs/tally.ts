/** Counts things by key. */
export class Tally<Key> {
  readonly #counts = new Map<Key, number>();

  add(key: Key): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  remove(key: Key): void {
    const left = (this.#counts.get(key) ?? 0) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }

  /** The keys with at least this count. */
  from(count: number): Key[] {
    return [...this.#counts].filter(([, one]) => one >= count).map(([key]) => key);
  }
}
