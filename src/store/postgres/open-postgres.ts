import type { Pool, PoolClient } from 'pg';
import { TrawlError } from '../../errors.ts';
import type { Database, Operation, Runner } from '../database.ts';
import { hasSchema, migrate } from '../migrations/migrate.ts';
import { sql } from '../sql.ts';
import { StoreAway } from '../store-away.ts';
import { PostgresConnection } from './connection.ts';
import { isConflict, translatePostgresError } from './errors.ts';

/** Connections of one process. PostgreSQL allows 100 for all of them unless it is told otherwise. */
const CONNECTIONS = 10;
const CONNECT_MS = 5_000;
/** Longer than any operation takes; what still runs then has been forgotten or is stuck behind a lock. */
const STATEMENT_MS = 30_000;
/** By then PostgreSQL has given up: a machine that is off does not even say that the connection is broken. */
const ANSWER_MS = STATEMENT_MS + 5_000;
/** Tries of a write that PostgreSQL undoes because of another one. */
const TRIES = 4;
/** Any number, the same in every version: processes that migrate wait for each other at this lock. */
export const MIGRATION_LOCK = 7_823_991;

/** The store in PostgreSQL, for any number of processes on any number of machines. Throws STORE_UNAVAILABLE, or NOT_FOUND where it must exist. */
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
  // Loaded only here: a service on SQLite does without.
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
    // BEGIN need not be answered before the first statement goes out.
    pipeline: true,
    // 64-bit integers come as numbers: sizes and times, all far below 2 ** 53.
    types: {
      getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
    },
  });
  // A connection that breaks tells whoever waits for an answer on it, and these listeners too, without which the process
  // would end. The pool drops it.
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

  /** It keeps old rows until a vacuum and its log for as long as it likes: what must not be read there is stored sealed. */
  async scrub(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    // A pool that ends forgets whoever still waits for a connection.
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

/** A connection that is lost here leaves open what has become of the transaction: only PostgreSQL knows. */
async function commit(db: Database): Promise<void> {
  try {
    await db.run(sql`commit`);
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    const message = `${error.message} It may have done what was asked all the same.`;
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

/** Does a write again when it was undone because of another one. */
async function retry<Output>(write: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isConflict(error) || attempt === TRIES) throw error;
    }
  }
}

/** Gives the connection back clean, or not at all when it is broken. */
async function rollback(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}
