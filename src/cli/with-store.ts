import { readConfig } from '../config.ts';
import { bytesKeeper } from '../service/bytes-keeper.ts';
import { describeStore } from '../store/location.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

/** Opens the configured store for one piece of work, and prints which one it is. Never creates one. */
export async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const { databaseUrl, dataDir, secret } = config;
  const keeper = await bytesKeeper(config);
  const store = await openStore({ databaseUrl, dataDir, secret, keeper, mustExist: true });
  process.stderr.write(`Using ${describeStore({ databaseUrl, dataDir })}\n`);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** Prints rows as aligned columns. */
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
