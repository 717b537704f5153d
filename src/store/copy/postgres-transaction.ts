import type { Database } from '../database.ts';
import { PostgresConnection } from '../postgres/connection.ts';
import { translatePostgresError } from '../postgres/errors.ts';
import { raw, sql } from '../sql.ts';

/** How long a copy waits for a connection, and for a lock. */
const LOCK_MS = 5_000;

/** Works in one transaction of any length, with integers as bigints: all or nothing. */
export async function postgresTransaction<Result>(
  url: string,
  isolation: 'read committed' | 'repeatable read',
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { Pool, types } = await import('pg');
  const pool = new Pool({
    connectionString: url,
    application_name: 'trawl copy',
    max: 1,
    connectionTimeoutMillis: LOCK_MS,
    keepAlive: true,
    types: {
      getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? BigInt : types.getTypeParser(oid, format)),
    },
  });
  // Without these listeners a broken connection would end the process. Pending queries are rejected anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    const client = await pool.connect().catch((error: unknown) => {
      throw translatePostgresError(error);
    });
    try {
      const db = new PostgresConnection(client);
      await db.run(raw(`begin isolation level ${isolation}`));
      await db.run(raw(`set local lock_timeout = ${LOCK_MS}`));
      await db.run(raw('set local statement_timeout = 0'));
      const result = await work(db);
      await db.run(sql`commit`);
      return result;
    } finally {
      // Closing the connection rolls back what was not committed.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}
