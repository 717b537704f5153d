import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreFigures } from '../store/operations/figures.ts';
import type { Store } from '../store/store.ts';

/** The database is queried no more often, however often metrics are read. */
const FIGURES_MS = 5_000;
const CACHE_MS = 60_000;
/** An unreachable database fails only after its own timeouts; Prometheus waits for ten seconds. */
const ANSWER_MS = 2_000;

/** The state of the store for metrics: undefined while it does not answer. */
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

/** Loads at most once in this time, and once for simultaneous callers. Failures are not cached. */
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
