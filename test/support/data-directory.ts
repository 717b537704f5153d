import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';

/** Every byte of every file below a folder, as Latin-1 text. */
export async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => readFileSync(file, 'latin1')).join('\n');
}

/** Every value of every table of the SQLite files below a folder, decompressed when it is zstd. */
export async function valuesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter(isSqlite).flatMap(valuesOf).join('\n');
}

function isSqlite(file: string): boolean {
  return readFileSync(file).subarray(0, 15).toString('latin1') === 'SQLite format 3';
}

function valuesOf(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) => {
      const rows = database.prepare(`SELECT * FROM "${name}"`).all();
      return rows.flatMap((row) => Object.values(row).map(readable));
    });
  } finally {
    database.close();
  }
}

/** A zstd frame starts with this number (RFC 8878, section 3.1.1). */
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** A stored value as text. */
export function readable(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  const bytes = Buffer.from(value);
  return (bytes.subarray(0, 4).equals(ZSTD) ? zstdDecompressSync(bytes) : bytes).toString('utf8');
}
