import { join } from 'node:path';
import { Pool } from 'pg';
import type { Database } from '../../src/store/database.ts';
import type { StoreOptions } from '../../src/store/open-store.ts';
import { PostgresConnection } from '../../src/store/postgres/connection.ts';
import { sql } from '../../src/store/sql.ts';
import { SqliteConnection } from '../../src/store/sqlite/connection.ts';

/** Works on a database past the store, which has not looked at the schema: all or nothing. */
export async function inTransaction(options: StoreOptions, work: (db: Database) => Promise<void>): Promise<void> {
  const { db, close } = connect(options);
  try {
    await db.run(sql`begin`);
    await work(db);
    await db.run(sql`commit`);
  } finally {
    // Undoes what was not committed.
    await close();
  }
}

function connect({ databaseUrl, dataDir }: StoreOptions): { db: Database; close(): Promise<void> } {
  if (databaseUrl === undefined) {
    const db = new SqliteConnection(join(dataDir, 'trawl.db'), { readOnly: false });
    return { db, close: async () => db.close() };
  }
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  // A closed connection may still be on its way out when its database is dropped, and is told so.
  pool.on('connect', (client) => client.on('error', () => {}));
  return { db: new PostgresConnection(pool), close: () => pool.end() };
}
