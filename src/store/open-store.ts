import { MemoryLimits } from './limits/memory-limits.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { createStore, type Store } from './store.ts';
import { type OnOperation, timed } from './timed-runner.ts';

export interface StoreOptions {
  /** `postgres://…`. Without it everything is in one SQLite file in the data directory. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Refuse a place that holds no database of Trawl, instead of making one there. */
  mustExist?: boolean;
  onOperation?: OnOperation;
}

/**
 * Opens the store and brings its schema up to date. Any number of processes may have it open, on SQLite as long as they
 * are on one machine. Throws STORE_UNAVAILABLE, or NOT_FOUND where it must exist, with what to change.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, dataDir, mustExist = false, onOperation = () => {} } = options;
  if (databaseUrl === undefined) {
    return createStore(timed(await openSqlite(dataDir, { mustExist }), onOperation), new MemoryLimits());
  }
  const [{ openPostgres }, { PostgresLimits }] = await Promise.all([
    import('./postgres/open-postgres.ts'),
    import('./limits/postgres-limits.ts'),
  ]);
  const runner = timed(await openPostgres(databaseUrl, { mustExist }), onOperation);
  return createStore(runner, new PostgresLimits(runner));
}
