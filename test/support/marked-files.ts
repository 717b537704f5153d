import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { StoreOptions } from '../../src/store/open-store.ts';
import { readable, valuesBelow } from './data-directory.ts';
import { rowsIn } from './rows.ts';

/** Those of these texts that occur in the bytes of a folder, each with the first file that contains it. */
export async function foundBelow(folder: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = new Map<string, string>();
  for (const file of files) {
    const bytes = contentOf(file);
    for (const text of texts) if (!found.has(text) && bytes.includes(text)) found.set(text, file);
  }
  return [...found].map(([text, file]) => `${text} in ${file.slice(folder.length + 1)}`);
}

/** A running database removes files while they are listed. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.of();
    throw error;
  }
}

/** Every value of every table of a store as text, decompressed. */
export async function valuesIn(options: StoreOptions): Promise<string> {
  if (options.databaseUrl === undefined) return valuesBelow(options.dataDir);
  const tables = await rowsIn(options, "select tablename from pg_tables where schemaname = 'public'");
  const client = new Client({ connectionString: options.databaseUrl });
  await client.connect();
  try {
    // Writes data that is only in memory to the files too.
    await client.query('checkpoint');
    const values: string[] = [];
    for (const { tablename } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from "${tablename}"`);
      values.push(...rows.flatMap((row) => Object.values(row).map(readable)));
    }
    return values.join('\n');
  } finally {
    await client.end();
  }
}
