import { Client } from 'pg';
import { useClock } from '../../src/clock.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoreKind } from './stores.ts';

/** A separate store for tests of limits, with control over its time. */
export interface SharedStore extends AsyncDisposable {
  store: Store;
  /** Advances the time of all windows by this many milliseconds, here and in the database, until disposed. */
  ageWindows(ms: number): Promise<Disposable>;
  /**
   * Advances the time of all slots by this many milliseconds; null when they are in memory and last as long as the
   * process.
   */
  ageSlots: ((ms: number) => Promise<void>) | null;
}

export async function openSharedStore(kind: StoreKind): Promise<SharedStore> {
  const location = await kind.create();
  const { databaseUrl } = location.options;
  const store = await openStore(location.options);
  const query = async (text: string, values: number[]) => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query(text, values);
    } finally {
      await client.end();
    }
  };
  return {
    store,
    async ageWindows(ms) {
      if (databaseUrl !== undefined) await query('update rate_windows set ends_at = ends_at - $1', [ms]);
      const restore = useClock(() => Date.now() + ms);
      return { [Symbol.dispose]: restore };
    },
    ageSlots:
      databaseUrl === undefined ? null : (ms) => query('update work_places set expires_at = expires_at - $1', [ms]),
    async [Symbol.asyncDispose]() {
      await store.close();
      await location[Symbol.asyncDispose]();
    },
  };
}
