import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { TrawlError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { describeStore, fileIn } from '../location.ts';
import { MIGRATIONS } from '../migrations/migrate.ts';
import { MIGRATIONS_TABLE } from '../migrations/migration.ts';
import type { StoreOptions } from '../open-store.ts';
import { findSecret } from '../operations/secrets.ts';
import { MIGRATION_LOCK } from '../postgres/open-postgres.ts';
import { integer } from '../row.ts';
import { raw, sql } from '../sql.ts';
import { SqliteConnection } from '../sqlite/connection.ts';
import { keepSecretBeside } from '../sqlite/secret-file.ts';
import { postgresTransaction } from './postgres-transaction.ts';
import { describeTables } from './tables.ts';

/** Creates a store in an empty place, completely or not at all. Throws CONFLICT when something is there. */
export async function makeStore<Result>(place: StoreOptions, fill: (db: Database) => Promise<Result>): Promise<Result> {
  if (place.databaseUrl === undefined) {
    await mkdir(place.dataDir, { recursive: true, mode: 0o700 });
    return makeFile(fileIn(place.dataDir), async (db) => {
      const result = await fill(db);
      await moveSecretBeside(db, place.dataDir);
      return result;
    });
  }
  return postgresTransaction(place.databaseUrl, 'read committed', async (db) => {
    // A service that starts meanwhile waits for this lock.
    await db.all(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await requireEmpty(db, describeStore(place));
    return fill(db);
  });
}

/** A service on SQLite stores its secret in a file of its own. */
async function moveSecretBeside(db: Database, dataDir: string): Promise<void> {
  const secret = await findSecret(db);
  if (secret === null) return;
  await keepSecretBeside(dataDir, secret);
  await db.run(raw('pragma secure_delete = on'));
  await db.run(sql`delete from generated_secrets`);
}

/** Creates an SQLite file, completely or not at all: it gets its name when it is complete. */
export async function makeFile<Result>(path: string, fill: (db: Database) => Promise<Result>): Promise<Result> {
  for (const taken of [path, `${path}-wal`, `${path}-shm`]) {
    if (await exists(taken)) throw isTaken(`The file ${taken} already exists.`);
  }
  const unfinished = `${path}.unfinished-${process.pid}`;
  // Readable only by this user: it holds scraped pages.
  await (await open(unfinished, 'wx', 0o600)).close();
  try {
    const db = new SqliteConnection(unfinished, { readOnly: false, bigInts: true });
    let result: Result;
    try {
      // A crash may lose an unfinished file, so no journal is needed. This also leaves no log beside the backup.
      db.control('pragma journal_mode = delete');
      db.control('pragma journal_mode = off');
      db.control('pragma synchronous = off');
      db.control('begin immediate');
      result = await fill(db);
      db.control('commit');
    } finally {
      db.close();
    }
    await syncToDisk(unfinished);
    await putInPlace(unfinished, path);
    await syncToDisk(dirname(resolve(path)));
    return result;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Unlike a rename, a link never replaces a file that was created meanwhile. Not every file system has links. */
async function putInPlace(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    if (await exists(to)) throw isTaken(`The file ${to} already exists.`);
    await rename(from, to);
  }
}

async function requireEmpty(db: Database, what: string): Promise<void> {
  const tables = (await describeTables(MIGRATIONS)).map(({ name }) => name);
  for (const name of [MIGRATIONS_TABLE, ...tables]) {
    const [row] = await db.all(sql`select cast(to_regclass(${name}) is not null as integer) as found`);
    if (integer(row?.found) === 1) throw isTaken(`The table ${name} already exists in ${what}.`);
  }
}

function isTaken(why: string): TrawlError {
  return new TrawlError('CONFLICT', `${why} Copies never overwrite anything: choose an empty place.`);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
