import type { Pool, PoolClient } from 'pg';
import { TrawlError } from '../../errors.ts';
import type { Database, Operation, Runner } from '../database.ts';
import { hasSchema, migrate } from '../migrations/migrate.ts';
import { sql } from '../sql.ts';
import { StoreAway } from '../store-away.ts';
import { PostgresConnection } from './connection.ts';
import { isConflict, translatePostgresError } from './errors.ts';

/** Connections of one process. By default, PostgreSQL allows 100 in total. */
const CONNECTIONS = 10;
const CONNECT_MS = 5_000;
/** Longer than any operation takes. What still runs by then has been forgotten or is stuck behind a lock. */
const STATEMENT_MS = 30_000;
/** By then PostgreSQL has given up. A machine that is switched off does not even close the connection. */
const ANSWER_MS = STATEMENT_MS + 5_000;
/** Attempts at a write that conflicts with another one. */
const TRIES = 4;
/** An arbitrary number, the same in every version: processes that migrate wait for each other at this lock. */
export const MIGRATION_LOCK = 7_823_991;

/**
 * The store in PostgreSQL, for any number of processes on any number of machines. Throws STORE_UNAVAILABLE, or
 * NOT_FOUND if the schema must exist and does not.
 */
export async function openPostgres(url: string, { mustExist = false } = {}): Promise<Runner> {
  const pool = await createPool(url);
  const runner = new PostgresRunner(pool);
  try {
    if (mustExist && !(await runner.read(hasSchema, undefined))) throw noSchema();
    await runner.write(migrateAlone, undefined);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return runner;
}

function noSchema(): TrawlError {
  return new TrawlError(
    'NOT_FOUND',
    'There is no Trawl database at DATABASE_URL. Start the service on it first, or set another DATABASE_URL.',
  );
}

async function migrateAlone(db: Database): Promise<void> {
  await db.all(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await migrate(db);
}

async function createPool(url: string): Promise<Pool> {
  // Loaded only here: a service on SQLite does not need it.
  const { Pool, types } = await import('pg');
  const pool = new Pool({
    connectionString: url,
    application_name: 'trawl',
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    // The first statement need not wait for the response to BEGIN.
    pipeline: true,
    // 64-bit integers as numbers: sizes and times, all far below 2 ** 53.
    types: {
      getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
    },
  });
  // A broken connection rejects its pending queries, and also notifies these listeners, without which the process would
  // end. The pool drops the connection.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

class PostgresRunner implements Runner {
  readonly #pool: Pool;
  readonly #direct: PostgresConnection;
  readonly #running = new Set<Promise<unknown>>();

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#direct = new PostgresConnection(pool);
  }

  read<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output> {
    return this.#track(operation(this.#direct, input));
  }

  writeOnce<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output> {
    return this.#track(retry(() => operation(this.#direct, input)));
  }

  write<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output> {
    return this.#track(retry(() => this.#transaction(operation, input)));
  }

  async #transaction<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output> {
    const client = await connect(this.#pool);
    try {
      const db = new PostgresConnection(client);
      const [, output] = await Promise.all([db.run(sql`begin`), operation(db, input)]);
      await commit(db);
      client.release();
      return output;
    } catch (error) {
      await rollback(client);
      throw error;
    }
  }

  async freeBytes(): Promise<null> {
    return null;
  }

  /**
   * PostgreSQL keeps old rows until a vacuum, and its log for as long as it likes. Confidential values are therefore
   * stored sealed.
   */
  async scrub(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    // A closing pool would never answer those who still wait for a connection.
    await Promise.allSettled(this.#running);
    await this.#pool.end();
  }

  async #track<Output>(work: Promise<Output>): Promise<Output> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }
}

/** If the connection is lost here, the outcome of the transaction is unknown: only PostgreSQL knows it. */
async function commit(db: Database): Promise<void> {
  try {
    await db.run(sql`commit`);
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    const message = `${error.message} The write may have succeeded nevertheless.`;
    throw new StoreAway(message, { cause: error.cause, inDoubt: true });
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translatePostgresError(error);
  }
}

/** Retries a write that was rolled back because of a conflict with another one. */
async function retry<Output>(write: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error) || attempt === TRIES) throw error;
    }
  }
}

/** Returns the connection to the pool after a rollback, or discards it if it is broken. */
async function rollback(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}
