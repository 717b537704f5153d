import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { StoreOptions } from '../../src/store/open-store.ts';
import type { Row } from '../../src/store/row.ts';

/** Queries a store directly, in SQL that both databases accept. Sums must be cast to text. */
export async function rowsIn({ databaseUrl, dataDir }: StoreOptions, query: string): Promise<Row[]> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, 'trawl.db'), { readOnly: true });
    try {
      return database.prepare(query).all();
    } finally {
      database.close();
    }
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}

/** The settings of a service on this store. */
export function settingsOf({ databaseUrl, dataDir }: StoreOptions) {
  return { TRAWL_DATA_DIR: dataDir, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) };
}
