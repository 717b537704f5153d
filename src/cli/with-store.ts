import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { openStore, type StoreOptions } from '../store/open-store.ts';
import { sqlitePath } from '../store/sqlite/open-sqlite.ts';
import type { Store } from '../store/store.ts';

/** Opens the store that the settings name, for one piece of work, and says which one it is. Makes none. */
export async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir, secret } = readConfig(process.env);
  const store = await openStore({ databaseUrl, dataDir, secret, mustExist: true });
  process.stderr.write(`Using the ${nameOf({ databaseUrl, dataDir })}\n`);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** Without user name and password. */
function nameOf({ databaseUrl, dataDir }: StoreOptions): string {
  if (databaseUrl === undefined) return `SQLite database ${resolve(sqlitePath(dataDir))}`;
  const url = URL.parse(databaseUrl);
  const name = url?.pathname.slice(1) || 'of DATABASE_URL';
  return `PostgreSQL database ${name}${url?.host ? ` on ${url.host}` : ''}`;
}

/** Prints rows as columns that stand below each other. */
export function printColumns(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}
