import { migrate } from '../migrations/migrate.ts';
import { MIGRATIONS_TABLE, type Migration } from '../migrations/migration.ts';
import { type Row, text } from '../row.ts';
import { raw, sql } from '../sql.ts';
import { SqliteConnection } from '../sqlite/connection.ts';

/** A table as both databases have it. */
export interface Table {
  name: string;
  columns: readonly Column[];
  /** The columns of its primary key, or of another unique index that both databases have. */
  key: readonly Column[];
}

export interface Column {
  name: string;
  type: ColumnType;
}

export type ColumnType = 'text' | 'integer' | 'blob';

/**
 * The tables that these migrations create, each after the tables it refers to. Leaves out the tables that only
 * PostgreSQL has: windows and slots of limits, which last a minute.
 */
export async function describeTables(migrations: readonly Migration[]): Promise<Table[]> {
  const db = new SqliteConnection(':memory:', { readOnly: false });
  try {
    await migrate(db, migrations);
    const names = (
      await db.all(sql`
        select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> ${MIGRATIONS_TABLE}
        order by name`)
    ).map(({ name }) => text(name));
    const tables = new Map<string, Table>();
    const add = async (name: string): Promise<void> => {
      if (tables.has(name)) return;
      const references = await db.all(raw(`select "table" from pragma_foreign_key_list('${name}')`));
      for (const { table } of references) await add(text(table));
      tables.set(name, await describeTable(db, name));
    };
    for (const name of names) await add(name);
    return [...tables.values()];
  } finally {
    db.close();
  }
}

async function describeTable(db: SqliteConnection, name: string): Promise<Table> {
  const rows = await db.all(raw(`select name, type, pk from pragma_table_info('${name}')`));
  const key = rows.filter(({ pk }) => pk !== 0).sort((one, other) => Number(one.pk) - Number(other.pk));
  if (key.length === 0) throw new Error(`The table ${name} has no primary key: its rows cannot be copied in order.`);
  // If SQLite generates the key, it is that column alone. PostgreSQL puts the team before it, and SQLite has an index
  // of both.
  const team = rows.filter((row) => row.name === 'team' && row.pk === 0);
  return { name, columns: rows.map(toColumn), key: [...team, ...key].map(toColumn) };
}

function toColumn({ name, type }: Row): Column {
  const known = (['text', 'integer', 'blob'] as const).find((one) => one === text(type).toLowerCase());
  if (known === undefined) throw new Error(`The column ${name} has the unknown type ${type}.`);
  return { name: text(name), type: known };
}
