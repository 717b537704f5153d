import type { Database } from '../database.ts';
import { raw, type Sql, sql } from '../sql.ts';

/**
 * Rows of a table that are due for removal, to select from as `due`. Each team costs one index search, however many
 * rows the table has. On PostgreSQL, `lateral` ensures that plan. SQLite has no `lateral`, but keeps the order of a
 * cross join.
 *
 * @param condition compares `due` with `teams.id` first; the rest must fit the same index
 */
export function dueOfEachTeam(
  db: Database,
  { table, condition, order, limit }: { table: Sql; condition: Sql; order: Sql; limit: number },
): Sql {
  if (db.dialect === 'sqlite') return sql`teams cross join ${table} as due on ${condition}`;
  // Skips rows that another process has locked.
  return sql`
    teams cross join lateral (
      select * from ${table} as due where ${condition} order by ${order} limit ${limit} for update skip locked
    ) as due`;
}

/** Locks the selected rows on PostgreSQL, and skips those that another process has locked. */
export function skipLocked({ dialect }: Database): Sql {
  return raw(dialect === 'postgres' ? 'for update skip locked' : '');
}
