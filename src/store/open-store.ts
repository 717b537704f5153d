import type { ByteKeeper } from './artifacts/byte-keeper.ts';
import { folderKeeper } from './artifacts/folder-keeper.ts';
import { rowKeeper } from './artifacts/row-keeper.ts';
import { MemoryLimits } from './limits/memory-limits.ts';
import { filesIn } from './location.ts';
import { shareSecret } from './operations/secrets.ts';
import { generateSecret } from './sealing/service-secret.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { secretBeside } from './sqlite/secret-file.ts';
import { createStore, type Store } from './store.ts';
import type { BytesAway } from './store-away.ts';
import { type OnOperation, timed } from './timed-runner.ts';

export interface StoreOptions {
  /** `postgres://…`. Without it, everything is in one SQLite file in the data directory. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** TRAWL_SECRET. Without it, one is generated and stored: beside the SQLite file, or in the PostgreSQL database. */
  secret?: string | undefined;
  /** Stores the bytes of artifacts. Without it, PostgreSQL does; with SQLite, a folder in the data directory. */
  keeper?: ByteKeeper | undefined;
  /** Fail if there is no Trawl database, instead of creating one. */
  mustExist?: boolean;
  onOperation?: OnOperation;
  /** Called when the keeper begins to fail for large results, which then stay in the database. */
  onBytesAway?: (error: BytesAway) => void;
}

/**
 * Opens the store and brings its schema up to date. Any number of processes may have it open; for SQLite they must be
 * on the same machine. Throws STORE_UNAVAILABLE, or NOT_FOUND if the store must exist and does not. The message says
 * what to change.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, dataDir, secret, mustExist = false, onOperation = () => {}, onBytesAway } = options;
  if (databaseUrl === undefined) {
    const runner = timed(await openSqlite(dataDir, { mustExist }), onOperation);
    const keeper = options.keeper ?? folderKeeper(filesIn(dataDir));
    return createStore(
      { runner, limits: new MemoryLimits(), keeper, onBytesAway },
      secret ?? (await secretBeside(dataDir)),
    );
  }
  const [{ openPostgres }, { PostgresLimits }] = await Promise.all([
    import('./postgres/open-postgres.ts'),
    import('./limits/postgres-limits.ts'),
  ]);
  const runner = timed(await openPostgres(databaseUrl, { mustExist }), onOperation);
  const shared = secret ?? (await runner.write(shareSecret, generateSecret()));
  const keeper = options.keeper ?? rowKeeper(runner);
  return createStore({ runner, limits: new PostgresLimits(runner), keeper, onBytesAway }, shared);
}
