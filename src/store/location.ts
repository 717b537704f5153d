import { join, resolve } from 'node:path';
import type { StoreOptions } from './open-store.ts';

/** The name of the SQLite file in the data directory. */
const FILE = 'trawl.db';

/** The SQLite file of a data directory. */
export function fileIn(dataDir: string): string {
  return join(dataDir, FILE);
}

/** The folder of artifacts and large results beside the SQLite file. */
export function filesIn(dataDir: string): string {
  return join(dataDir, 'files');
}

/** Describes a store to the operator. Omits the password of its address. */
export function describeStore({ databaseUrl, dataDir }: StoreOptions): string {
  if (databaseUrl === undefined) return `the SQLite database ${resolve(fileIn(dataDir))}`;
  const { hostname, port, pathname } = new URL(databaseUrl);
  const host = hostname === '' ? 'this machine' : `${hostname}${port === '' ? '' : `:${port}`}`;
  return `the PostgreSQL database ${decodeURIComponent(pathname.slice(1)) || '(default)'} on ${host}`;
}
