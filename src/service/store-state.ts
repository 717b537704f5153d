import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreFigures } from '../store/operations/figures.ts';
import type { Store } from '../store/store.ts';

/** However often metrics are read, the database is asked no more often. */
const FIGURES_MS = 5_000;
const CACHE_MS = 60_000;
/** A database that is away answers after its own time limits; Prometheus waits for ten seconds. */
const ANSWER_MS = 2_000;

/** What metrics tell of the store: undefined while it does not answer. */
export interface StoreState {
  figures(): Promise<StoreFigures | undefined>;
  cacheBytes(): Promise<number | undefined>;
  freeBytes(): Promise<number | undefined>;
}

export function storeState(store: Store): StoreState {
  return {
    figures: kept(FIGURES_MS, () => store.figures()),
    cacheBytes: kept(CACHE_MS, () => store.cacheBytes()),
    freeBytes: kept(FIGURES_MS, async () => (await store.freeBytes()) ?? undefined),
  };
}

/** Asks at most once in this time, and for several callers together. What failed is asked for again. */
function kept<Value>(milliseconds: number, ask: () => Promise<Value>): () => Promise<Value | undefined> {
  let last: { value: Value; until: number } | undefined;
  let asking: Promise<Value | undefined> | undefined;
  const refresh = async () => {
    try {
      const value = await ask();
      last = { value, until: performance.now() + milliseconds };
      return value;
    } catch {
      return undefined;
    } finally {
      asking = undefined;
    }
  };
  return async () => {
    if (last !== undefined && performance.now() < last.until) return last.value;
    asking ??= refresh();
    return Promise.race([asking, sleep(ANSWER_MS, undefined, { ref: false })]);
  };
}
