import type { Database } from '../database.ts';
import { raw, type Sql, sql } from '../sql.ts';

/**
 * The rows of a table that each team has to give up, to select from as `due`: found by one look into the table's index
 * for each team, however many rows there are. PostgreSQL needs `lateral` to never plan it otherwise; SQLite has no
 * `lateral` and keeps the order of a cross join.
 *
 * @param condition may name `teams.id`; it has to fit the beginning of an index
 */
export function dueOfEachTeam(
  db: Database,
  { table, condition, order, limit }: { table: Sql; condition: Sql; order: Sql; limit: number },
): Sql {
  if (db.dialect === 'sqlite') return sql`teams cross join ${table} as due on ${condition}`;
  // Rows that another process is working on are left to it.
  return sql`
    teams cross join lateral (
      select * from ${table} as due where ${condition} order by ${order} limit ${limit} for update skip locked
    ) as due`;
}

/** For a list that PostgreSQL is to lock, where rows that another process is working on are left to it. */
export function skipLocked({ dialect }: Database): Sql {
  return raw(dialect === 'postgres' ? 'for update skip locked' : '');
}
