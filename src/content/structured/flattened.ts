import { isRecord } from './json.ts';

/** The same limit as for values in a state. A value that is referenced twice counts twice. */
const MAX_VALUES = 200_000;
const MAX_DEPTH = 64;

/** Wrappers of Vue and Nuxt around one other value. */
const WRAPPERS = new Set([
  'Reactive',
  'ShallowReactive',
  'Ref',
  'ShallowRef',
  'EmptyRef',
  'EmptyShallowRef',
  'NuxtError',
  'Object',
]);

/**
 * Whether a JSON value is the payload of Nuxt 3 (`__NUXT_DATA__`), which the library devalue writes: a list in which
 * objects and lists hold the indices of their parts, and a list that starts with a name represents another kind of
 * value.
 */
export function isFlattened(value: unknown): value is unknown[] {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return Array.isArray(first) && (first[0] === 'ShallowReactive' || first[0] === 'Reactive') && first[1] === 1;
}

/**
 * The value that such a list represents, as a tree. Shared parts are repeated; parts that contain themselves or exceed
 * the limits are omitted.
 */
export function unflatten(values: readonly unknown[]): unknown {
  return new Unflattener(values).at(0, 0);
}

class Unflattener {
  readonly #values: readonly unknown[];
  readonly #open = new Set<number>();
  #left = MAX_VALUES;

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  /** Negative indices represent values that JSON does not have, none of them useful here. */
  at(place: unknown, depth: number): unknown {
    if (typeof place !== 'number' || place < 0 || depth > MAX_DEPTH || this.#open.has(place)) return undefined;
    if (--this.#left < 0) return undefined;
    const value = this.#values[place];
    if (typeof value !== 'object' || value === null) return value;
    this.#open.add(place);
    const result = Array.isArray(value) ? this.#list(value, depth) : isRecord(value) && this.#record(value, depth);
    this.#open.delete(place);
    return result;
  }

  #list(list: readonly unknown[], depth: number): unknown {
    const [kind, first] = list;
    if (typeof kind !== 'string') return this.#all(list, depth);
    if (WRAPPERS.has(kind)) return this.at(first, depth + 1);
    if (kind === 'Set') return this.#all(list.slice(1), depth);
    if (kind === 'Map' || kind === 'null') return this.#pairs(kind, list, depth);
    return typeof first === 'string' ? first : undefined;
  }

  #all(places: readonly unknown[], depth: number): unknown[] {
    const all: unknown[] = [];
    for (const place of places) {
      if (this.#left <= 0) break;
      all.push(this.at(place, depth + 1));
    }
    return all;
  }

  /** A map has the indices of its keys, an object without a prototype the keys themselves. */
  #pairs(kind: string, list: readonly unknown[], depth: number): unknown {
    const pairs: [string, unknown][] = [];
    for (let index = 1; index + 1 < list.length && this.#left > 0; index += 2) {
      const key = kind === 'Map' ? this.at(list[index], depth + 1) : list[index];
      if (typeof key === 'string' || typeof key === 'number')
        pairs.push([String(key), this.at(list[index + 1], depth + 1)]);
    }
    return Object.fromEntries(pairs);
  }

  #record(record: Record<string, unknown>, depth: number): unknown {
    const pairs: [string, unknown][] = [];
    for (const [key, place] of Object.entries(record)) {
      if (this.#left <= 0) break;
      pairs.push([key, this.at(place, depth + 1)]);
    }
    return Object.fromEntries(pairs);
  }
}
