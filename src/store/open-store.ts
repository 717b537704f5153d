import { openSqlite } from './sqlite/open-sqlite.ts';
import { createStore, type Store } from './store.ts';

export interface StoreOptions {
  /** `postgres://…`. Without it everything is in one SQLite file in the data directory. */
  databaseUrl?: string | undefined;
  dataDir: string;
}

/**
 * Opens the store and brings its schema up to date. Any number of processes may have it open, on SQLite as long as they
 * are on one machine. Throws STORE_UNAVAILABLE with what to change.
 */
export async function openStore({ databaseUrl, dataDir }: StoreOptions): Promise<Store> {
  if (databaseUrl === undefined) return createStore(await openSqlite(dataDir));
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  return createStore(await openPostgres(databaseUrl));
}
