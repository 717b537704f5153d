import { CASE, isInAnyCase } from './characters.ts';

/** The load factor is at most a quarter, so that nearly every search ends at the first slot. */
const SLOTS_PER_NAME = 4;

interface Entry<T> {
  name: string;
  value: T;
}

/**
 * Finds known names by the characters of the source, ignoring case, without creating a string for the name or its lower
 * case. On two-byte sources creating them took 250 ns a name, which is a third of reading a page. The contents are
 * fixed, so no source can make searches slow.
 */
export class NameTable<T> {
  readonly #slots: (Entry<T> | undefined)[];

  /** @param names ASCII in lower case */
  constructor(names: Iterable<readonly [name: string, value: T]>) {
    const entries = Array.from(names, ([name, value]): Entry<T> => ({ name, value }));
    const size = 2 ** Math.ceil(Math.log2(entries.length * SLOTS_PER_NAME));
    this.#slots = new Array<undefined>(size).fill(undefined);
    for (const entry of entries) {
      let slot = hashOfName(entry.name, 0, entry.name.length) & (size - 1);
      while (this.#slots[slot] !== undefined) slot = (slot + 1) & (size - 1);
      this.#slots[slot] = entry;
    }
  }

  /** The value of the name from `start` to `end`, if it is known. */
  find(source: string, start: number, end: number): T | undefined {
    const slots = this.#slots;
    let slot = hashOfName(source, start, end) & (slots.length - 1);
    for (let entry = slots[slot]; entry !== undefined; entry = slots[slot]) {
      if (end - start === entry.name.length && isName(source, start, entry.name)) return entry.value;
      slot = (slot + 1) & (slots.length - 1);
    }
    return undefined;
  }
}

/** A hash of the length and the first, middle and last characters, ignoring case. */
export function hashOfName(source: string, start: number, end: number): number {
  const first = source.charCodeAt(start) | CASE;
  const middle = source.charCodeAt((start + end) >> 1) | CASE;
  const last = source.charCodeAt(end - 1) | CASE;
  return (end - start) * 7 + first * 5 + middle * 31 + last * 73;
}

/** Whether the characters that start there are those of the name, ignoring case. The lengths must be equal. */
export function isName(source: string, start: number, name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    if (!isInAnyCase(source.charCodeAt(start + index), name.charCodeAt(index))) return false;
  }
  return true;
}
