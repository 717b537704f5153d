import { stat } from 'node:fs/promises';
import { now } from '../../clock.ts';
import { TrawlError } from '../../errors.ts';
import type { ByteKeeper } from '../artifacts/byte-keeper.ts';
import { folderKeeper } from '../artifacts/folder-keeper.ts';
import type { Database } from '../database.ts';
import { describeStore, fileIn, filesIn } from '../location.ts';
import { appliedMigrations } from '../migrations/migrate.ts';
import { MIGRATIONS_TABLE, type Migration } from '../migrations/migration.ts';
import type { StoreOptions } from '../open-store.ts';
import { raw, sql } from '../sql.ts';
import { SqliteConnection } from '../sqlite/connection.ts';
import { findSecretBeside } from '../sqlite/secret-file.ts';
import { postgresTransaction } from './postgres-transaction.ts';
import { describeTables } from './tables.ts';

/** A snapshot of a store, and its migrations. */
export interface Source {
  db: Database;
  migrations: readonly Migration[];
  /** The secret that is stored beside an SQLite file, and not in it. */
  secret: string | null;
  /** Keeps the bytes of large results; null where all are in rows. */
  keeper: ByteKeeper | null;
}

/**
 * Reads a snapshot of a store, while the service may run.
 * @param options `alone`: refuse a store that a service or a worker uses, and block writes until the end
 */
export async function readStore<Result>(
  place: StoreOptions,
  { alone }: { alone: boolean },
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  if (place.databaseUrl === undefined) {
    const secret = await findSecretBeside(place.dataDir);
    return readFile(fileIn(place.dataDir), { alone }, (source) =>
      work({ ...source, secret, keeper: place.keeper ?? folderKeeper(filesIn(place.dataDir)) }),
    );
  }
  // When nobody writes, every statement sees the same rows anyway, and the locks come before the snapshot.
  return postgresTransaction(place.databaseUrl, alone ? 'read committed' : 'repeatable read', async (db) => {
    const what = describeStore(place);
    const [known] = await db.all(sql`select to_regclass(${MIGRATIONS_TABLE}) is not null as yes`);
    if (known?.yes !== true) throw new TrawlError('NOT_FOUND', `There is no Trawl store in ${what}.`);
    const migrations = await appliedMigrations(db);
    if (alone) await requireUnused(db, migrations, what);
    return work({ db, migrations, secret: null, keeper: place.keeper ?? null });
  });
}

/** Reads a snapshot of an SQLite file. */
export async function readFile<Result>(
  path: string,
  { alone }: { alone: boolean },
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  const what = `the SQLite file ${path}`;
  const isFile = (await stat(path).catch(() => null))?.isFile() ?? false;
  if (!isFile) throw new TrawlError('NOT_FOUND', `There is no file ${path}.`);
  const db = new SqliteConnection(path, { readOnly: !alone, bigInts: true });
  try {
    // Nobody else can write during this transaction.
    db.control(alone ? 'begin immediate' : 'begin');
    const [known] = await db.all(sql`select 1 from sqlite_schema where name = ${MIGRATIONS_TABLE}`);
    if (known === undefined) throw new TrawlError('NOT_FOUND', `There is no Trawl store in ${what}.`);
    const migrations = await appliedMigrations(db);
    if (alone) await requireUnused(db, migrations, what);
    return await work({ db, migrations, secret: null, keeper: null });
  } finally {
    db.close();
  }
}

/** Throws CONFLICT when a service or a worker uses the store, and keeps others from starting to use it. */
async function requireUnused(db: Database, migrations: readonly Migration[], what: string): Promise<void> {
  if (db.dialect === 'postgres') {
    const [other] = await db.all(sql`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'trawl' and pid <> pg_backend_pid() limit 1`);
    if (other !== undefined) throw inUse(what);
    const tables = await describeTables(migrations);
    await db.run(raw(`lock table ${tables.map(({ name }) => name).join(', ')} in share mode`));
  }
  const hasJobs = migrations.some(({ name }) => name === '0005-jobs');
  const leases = hasJobs ? await db.all(sql`select 1 from workers where lease_until > ${now()} limit 1`) : [];
  if (leases.length > 0) throw inUse(what);
}

function inUse(what: string): TrawlError {
  return new TrawlError(
    'CONFLICT',
    `A service or a worker uses ${what}. Stop it first; after a kill, wait 10 seconds for its lease to end.`,
  );
}
