import type { Database } from '../database.ts';
import { type Row, text } from '../row.ts';
import { raw, sql } from '../sql.ts';

// Generated numbers are never reused, so a copy has to continue after the highest one ever generated.

/** Makes the counters of `to` continue where those of `from` are. */
export async function copyCounters(from: Database, to: Database): Promise<void> {
  for (const [table, last] of await readCounters(from)) await setCounter(to, table, last);
}

/** The last generated number of each table that has generated any. */
async function readCounters(db: Database): Promise<Map<string, bigint>> {
  const rows =
    db.dialect === 'sqlite'
      ? await readSequences(db)
      : await db.all(sql`
          select table_name as name, pg_sequence_last_value(
            cast(pg_get_serial_sequence(quote_ident(table_name), column_name) as regclass)
          ) as last
          from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`);
  return new Map(
    rows.flatMap(({ name, last }) => (typeof last === 'bigint' && last > 0n ? [[text(name), last] as const] : [])),
  );
}

/** SQLite creates this table together with the first table that needs it, which not every schema has. */
async function readSequences(db: Database): Promise<Row[]> {
  const [table] = await db.all(sql`select 1 from sqlite_schema where name = 'sqlite_sequence'`);
  return table === undefined ? [] : db.all(sql`select name, seq as last from sqlite_sequence`);
}

async function setCounter(db: Database, table: string, last: bigint): Promise<void> {
  if (db.dialect === 'postgres') {
    await db.all(sql`
      select setval(cast(pg_get_serial_sequence(cast(${table} as text), 'number') as regclass), cast(${last} as bigint))`);
    return;
  }
  await db.run(sql`delete from sqlite_sequence where name = ${table}`);
  await db.run(raw(`insert into sqlite_sequence (name, seq) values ('${table}', ${last})`));
}
