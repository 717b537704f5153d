import type { Database } from '../database.ts';
import { seals } from '../migrations/0012-seals.ts';
import { migrate } from '../migrations/migrate.ts';
import type { StoreOptions } from '../open-store.ts';
import { shareSecret } from '../operations/secrets.ts';
import { copyRows } from './copy-rows.ts';
import { copyCounters } from './counters.ts';
import { readFile, readStore, type Source } from './source.ts';
import { describeTables } from './tables.ts';
import { makeFile, makeStore } from './target.ts';

// Backup, restore and move are the same copy between different places. A backup is an SQLite file with the schema version
// of its source, so that the version of Trawl that ran at the time can restore it.

export type OnProgress = (table: string, rows: number) => void;

export interface Copied {
  tables: number;
  rows: number;
}

/** Copies a snapshot of a store into a new file, while the service runs. */
export function backupStore(place: StoreOptions, file: string, onProgress: OnProgress): Promise<Copied> {
  return readStore(place, { alone: false }, (source) => makeFile(file, (db) => copyStore(source, db, onProgress)));
}

/** Creates a store from a backup and migrates it to the current schema. Does not change the backup. */
export function restoreStore(file: string, place: StoreOptions, onProgress: OnProgress): Promise<Copied> {
  return readFile(file, { alone: false }, (source) => makeStore(place, (db) => copyUpToDate(source, db, onProgress)));
}

/** Copies a store that nobody uses to another place. Does not remove the original. */
export function moveStore(from: StoreOptions, to: StoreOptions, onProgress: OnProgress): Promise<Copied> {
  return readStore(from, { alone: true }, (source) => makeStore(to, (db) => copyUpToDate(source, db, onProgress)));
}

async function copyUpToDate(source: Source, to: Database, onProgress: OnProgress): Promise<Copied> {
  const copied = await copyStore(source, to, onProgress);
  await migrate(to);
  return copied;
}

async function copyStore(source: Source, to: Database, onProgress: OnProgress): Promise<Copied> {
  const { db: from, migrations, secret } = source;
  await migrate(to, migrations);
  const tables = await describeTables(migrations);
  const rows = await copyRows(source, to, tables, onProgress);
  await copyCounters(from, to);
  // Without the secret nobody could decrypt the sealed values.
  if (secret !== null && migrations.includes(seals)) await shareSecret(to, secret);
  return { tables: tables.length, rows };
}
