import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createTeam } from '../../src/team/teams.ts';

/** Creates another team in the store of a running service. Returns its key. */
export async function addTeam(dataDir: string, name: string, plan = 'unlimited'): Promise<string> {
  return withStoreOf(dataDir, async (store) => (await createTeam(store, name, plan)).key);
}

/** Works on the store of a running service, as a separate command does. */
export async function withStoreOf<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ dataDir });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
