import type { Database } from '../database.ts';
import { raw, type Sql } from '../sql.ts';

/**
 * The table that lists the applied steps. Not `migrations`, because a PostgreSQL database may be shared with another
 * program.
 */
export const MIGRATIONS_TABLE = 'trawl_migrations';

/**
 * One step of the schema, forward only. Runs once on each database, in one transaction with all other missing steps.
 */
export interface Migration {
  /** `0001-what-it-brings`: steps are applied in the order of their names. */
  name: string;
  up(db: Database): Promise<void>;
}

export interface ColumnTypes {
  /** Compared and sorted by bytes on both databases, which is also the fastest way. */
  text: Sql;
  /** 64 bits. */
  integer: Sql;
  bytes: Sql;
  /** Follows the last column: SQLite checks types as strictly as PostgreSQL only on request. */
  strict: Sql;
}

/** The types of both databases. */
export function columnTypes({ dialect }: Database): ColumnTypes {
  if (dialect === 'sqlite') {
    return { text: raw('text'), integer: raw('integer'), bytes: raw('blob'), strict: raw('strict') };
  }
  return { text: raw('text collate "C"'), integer: raw('bigint'), bytes: raw('bytea'), strict: raw('') };
}
