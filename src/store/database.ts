import type { Row } from './row.ts';
import type { Sql } from './sql.ts';

/** One connection to either database, as an operation sees it. */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /** The rows of the statement. */
  all(statement: Sql): Promise<Row[]>;
  /** The number of rows that the statement changed. */
  run(statement: Sql): Promise<number>;
}

/**
 * A piece of work on the database, written once for both. It awaits only the database, because on SQLite every other
 * write waits for it. It does not catch errors of the database, because on PostgreSQL they end the transaction.
 */
export type Operation<Input, Output> = (db: Database, input: Input) => Promise<Output>;

/** Runs operations on one of the databases. Rejects with STORE_UNAVAILABLE when the database is unreachable. */
export interface Runner {
  /** Changes nothing, and needs no snapshot beyond one of its statements. */
  read<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>;
  /** All or nothing, and durable when it resolves. The operation is listed in operations/writes.ts. */
  write<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>;
  /** The same for an operation of one statement, which needs no transaction on PostgreSQL: half of the round trips. */
  writeOnce<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>;
  /** Free space on the disk of the database; null if unknown. */
  freeBytes(): Promise<number | null>;
  /** Removes copies of erased data that the database keeps. Resolves with false when it has to be repeated. */
  scrub(): Promise<boolean>;
  close(): Promise<void>;
}
