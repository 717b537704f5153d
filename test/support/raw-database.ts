import { join } from 'node:path';
import { Pool } from 'pg';
import type { Database } from '../../src/store/database.ts';
import type { StoreOptions } from '../../src/store/open-store.ts';
import { PostgresConnection } from '../../src/store/postgres/connection.ts';
import { sql } from '../../src/store/sql.ts';
import { SqliteConnection } from '../../src/store/sqlite/connection.ts';

/** Works directly on a database, in a transaction, before any store has checked its schema. */
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
  // A connection that is still closing when its database is dropped receives an error.
  pool.on('connect', (client) => client.on('error', () => {}));
  return { db: new PostgresConnection(pool), close: () => pool.end() };
}
