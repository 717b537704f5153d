import type { Database } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import type { StoreOptions } from '../open-store.ts';
import { copyRows } from './copy-rows.ts';
import { copyCounters } from './counters.ts';
import { readFile, readStore, type Source } from './source.ts';
import { describeTables } from './tables.ts';
import { makeFile, makeStore } from './target.ts';

// A backup is an SQLite file with the schema of the store that it was made of, whatever kind of store that is. Backup,
// restore and move are the same copy between different places.

export type OnProgress = (table: string, rows: number) => void;

export interface Copied {
  tables: number;
  rows: number;
}

/** Copies a store, as it is at this moment, into a new file. What works with it works on. */
export function backupStore(place: StoreOptions, file: string, onProgress: OnProgress): Promise<Copied> {
  return readStore(place, { alone: false }, (source) => makeFile(file, (db) => copyStore(source, db, onProgress)));
}

/** Makes a store of a backup, and brings it up to date when it is an older one. The backup stays as it is. */
export function restoreStore(file: string, place: StoreOptions, onProgress: OnProgress): Promise<Copied> {
  return readFile(file, { alone: false }, (source) => makeStore(place, (db) => copyUpToDate(source, db, onProgress)));
}

/** Copies a store that nobody uses to another place. It stays where it is, too. */
export function moveStore(from: StoreOptions, to: StoreOptions, onProgress: OnProgress): Promise<Copied> {
  return readStore(from, { alone: true }, (source) => makeStore(to, (db) => copyUpToDate(source, db, onProgress)));
}

async function copyUpToDate(source: Source, to: Database, onProgress: OnProgress): Promise<Copied> {
  const copied = await copyStore(source, to, onProgress);
  await migrate(to);
  return copied;
}

async function copyStore({ db: from, migrations }: Source, to: Database, onProgress: OnProgress): Promise<Copied> {
  await migrate(to, migrations);
  const tables = await describeTables(migrations);
  const rows = await copyRows(from, to, tables, onProgress);
  await copyCounters(from, to);
  return { tables: tables.length, rows };
}
