import type { Database } from '../database.ts';
import { raw, type Sql } from '../sql.ts';

/** Where the steps that a database has are listed. Not `migrations`: a PostgreSQL database may be shared with another program. */
export const MIGRATIONS_TABLE = 'trawl_migrations';

/** One step of the schema, forward only. It runs once on each database, in the transaction of all that are missing. */
export interface Migration {
  /** `0001-what-it-brings`: the order of the names is the order of the steps. */
  name: string;
  up(db: Database): Promise<void>;
}

export interface ColumnTypes {
  /** Ordered by its bytes on both databases, and compared by them, which is also the quickest. */
  text: Sql;
  /** 64 bits. */
  integer: Sql;
  bytes: Sql;
  /** After the last column: SQLite checks types as strictly as PostgreSQL does only when told to. */
  strict: Sql;
}

/** The types of both databases. */
export function columnTypes({ dialect }: Database): ColumnTypes {
  if (dialect === 'sqlite') {
    return { text: raw('text'), integer: raw('integer'), bytes: raw('blob'), strict: raw('strict') };
  }
  return { text: raw('text collate "C"'), integer: raw('bigint'), bytes: raw('bytea'), strict: raw('') };
}
