import { DatabaseSync } from 'node:sqlite';
import { Client, types } from 'pg';
import { describeTables } from '../../src/store/copy/tables.ts';
import { fileIn } from '../../src/store/location.ts';
import { MIGRATIONS } from '../../src/store/migrations/migrate.ts';
import type { StoreOptions } from '../../src/store/open-store.ts';

/** Every row of a store as text, by table in key order. Both databases give the same text. */
export async function dumpOf(options: StoreOptions): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  const { query, close } = await connect(options);
  try {
    for (const { name, columns, key } of await describeTables(MIGRATIONS)) {
      const list = (some: typeof columns) => some.map((column) => column.name).join(', ');
      const rows = await query(`select ${list(columns)} from ${name} order by ${list(key)}`);
      dump[name] = rows.map((row) => JSON.stringify(columns.map((column) => [column.name, textOf(row[column.name])])));
    }
  } finally {
    await close();
  }
  return dump;
}

async function connect({ databaseUrl, dataDir }: StoreOptions) {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(fileIn(dataDir), { readOnly: true, readBigInts: true });
    return { query: async (text: string) => database.prepare(text).all(), close: async () => database.close() };
  }
  const client = new Client({
    connectionString: databaseUrl,
    types: {
      getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? BigInt : types.getTypeParser(oid, format)),
    },
  });
  await client.connect();
  return { query: async (text: string) => (await client.query(text)).rows, close: () => client.end() };
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : `${typeof value} ${value}`;
}
