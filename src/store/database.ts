import type { Row } from './row.ts';
import type { Sql } from './sql.ts';

/** One connection to either database, as an operation sees it. */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  /** The rows that the statement gives. */
  all(statement: Sql): Promise<Row[]>;
  /** How many rows the statement changed. */
  run(statement: Sql): Promise<number>;
}

/**
 * A piece of work on the database, written once for both. It awaits nothing but the database, because on SQLite every
 * other write waits for it, and it lets errors of the database pass, because on PostgreSQL they end the transaction.
 */
export type Operation<Input, Output> = (db: Database, input: Input) => Promise<Output>;

/** Runs operations on one of the databases. Rejects with STORE_UNAVAILABLE when the database cannot be reached. */
export interface Runner {
  /** Changes nothing, and needs no snapshot that outlives one of its statements. */
  read<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>;
  /** All or nothing, and durable when it resolves. The operation is listed in operations/writes.ts. */
  write<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>;
  /** The same for an operation of one statement, which PostgreSQL needs no transaction around: half of the round trips. */
  writeOnce<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>;
  /** Room on the disk of the database; null where that is not known here. */
  freeBytes(): Promise<number | null>;
  /** Removes copies that the database keeps of what was erased. Resolves with false when it has to be done again. */
  scrub(): Promise<boolean>;
  close(): Promise<void>;
}
