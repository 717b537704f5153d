/** The load factor is at most a quarter, so that the first slot most often shows that a hash is missing. */
const SLOTS_PER_KEY = 4;

/** Multiplies hashes into slots (Knuth, The Art of Computer Programming 6.4: the golden ratio of 2 ** 32). */
const SPREAD = 0x9e3779b1;

/**
 * Finds the index of a hash in a fixed list. Two of three words on a page are not in it, and a `Map` takes three times
 * as long to find that out.
 */
export class HashTable {
  readonly #keys: Int32Array;
  /** The index plus one; 0 in an empty slot. */
  readonly #places: Int32Array;
  readonly #shift: number;

  /** @param hashes distinct 32-bit hashes */
  constructor(hashes: readonly number[]) {
    const bits = Math.max(1, Math.ceil(Math.log2(hashes.length * SLOTS_PER_KEY)));
    this.#shift = 32 - bits;
    this.#keys = new Int32Array(2 ** bits);
    this.#places = new Int32Array(2 ** bits);
    for (const [place, hash] of hashes.entries()) {
      const slot = this.#slotOf(hash);
      this.#keys[slot] = hash;
      this.#places[slot] = place + 1;
    }
  }

  /** The index of the hash in the list, or -1. */
  find(hash: number): number {
    return (this.#places[this.#slotOf(hash)] ?? 0) - 1;
  }

  /** The slot of the hash, or the empty slot where it would be. */
  #slotOf(hash: number): number {
    const keys = this.#keys;
    const places = this.#places;
    let slot = Math.imul(hash, SPREAD) >>> this.#shift;
    while (places[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & (keys.length - 1);
    return slot;
  }
}
