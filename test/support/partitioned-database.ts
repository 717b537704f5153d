import { Client } from 'pg';
import { openStore } from '../../src/store/open-store.ts';
import { createDatabase, type TestDatabase } from './postgres.ts';

/**
 * Partitions of each table. A plan that reaches across teams covers all of them, so 16 show as much as 64, in a quarter
 * of the time.
 */
const PARTS = 16;

/**
 * Tables that are not partitioned because they stay small: they have a few rows for each team, key, host or process.
 */
export const SHARED = [
  'api_keys',
  'generated_secrets',
  'hosts',
  'job_teams',
  'keyless_days',
  'plans',
  'prices',
  'rate_windows',
  'readiness',
  'revoked_keys',
  'robots_paces',
  'schedules',
  'teams',
  'trawl_migrations',
  'work_places',
  'workers',
];

export interface PartitionedDatabase extends TestDatabase {
  /** The partitioned tables, each with its partition column: the first one of its primary key. */
  tables: ReadonlyMap<string, string>;
}

/**
 * An empty store whose tables are partitioned by the first column of their primary key, except for the shared ones.
 * PostgreSQL refuses this for a table with a unique index that does not contain that column.
 */
export async function createPartitionedDatabase(): Promise<PartitionedDatabase> {
  const database = await createDatabase();
  const store = await openStore({ databaseUrl: database.url, dataDir: 'unused' });
  await store.close();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    // JIT compilation takes 60 ms for each plan that cannot use an index, such as catalogue queries while scans are
    // disabled.
    await client.query(`alter database ${new URL(database.url).pathname.slice(1)} set jit = off`);
    const tables = await findTables(client);
    const references = await dropReferences(client, tables);
    for (const [table, column] of tables) await divide(client, table, column);
    for (const reference of references) await client.query(reference);
    return { ...database, tables, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
  } finally {
    await client.end();
  }
}

/** The name of the table that a partition or an index of one belongs to, and the number of the partition. */
export function partitionOf(name: string): { table: string; part: number } | null {
  const [, table, part] = /^(\w+?)_part_(\d+)(?:_|$)/.exec(name) ?? [];
  return table === undefined ? null : { table, part: Number(part) };
}

async function findTables(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; key: string }>(`
    select table_name as name, column_name as key
    from information_schema.key_column_usage
    where table_schema = 'public' and ordinal_position = 1 and constraint_name in (
      select conname from pg_constraint where contype = 'p' and connamespace = 'public'::regnamespace
    )
    order by table_name`);
  return new Map(rows.filter(({ name }) => !SHARED.includes(name)).map(({ name, key }) => [name, key]));
}

/** Drops the foreign keys of these tables. Returns the statements that restore them. */
async function dropReferences(client: Client, tables: ReadonlyMap<string, string>): Promise<string[]> {
  const { rows } = await client.query<{ name: string; table: string; definition: string }>(`
    select conname as name, relname as table, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid where contype = 'f' order by relname, conname`);
  const own = rows.filter(({ table }) => tables.has(table));
  for (const { table, name } of own) await client.query(`alter table ${table} drop constraint ${name}`);
  return own.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`);
}

/** Replaces an empty table with a partitioned one. */
async function divide(client: Client, table: string, column: string): Promise<void> {
  const indexes = await client.query<{ definition: string }>(
    `select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = $1::regclass and not exists (
      select 1 from pg_constraint where conindid = indexrelid and conrelid = indrelid)`,
    [table],
  );
  const keys = await client.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u')`,
    [table],
  );
  const counters = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = $1 and is_identity = 'YES'`,
    [table],
  );
  const parts = Array.from({ length: PARTS }, (_, part) => {
    const values = `for values with (modulus ${PARTS}, remainder ${part})`;
    return `create table ${table}_part_${part} partition of ${table} ${values}`;
  });
  await client.query(
    [
      'begin',
      `alter table ${table} rename to old`,
      `create table ${table} (like old including defaults) partition by hash (${column})`,
      'drop table old',
      ...keys.rows.map(({ definition }) => `alter table ${table} add ${definition}`),
      ...indexes.rows.map(({ definition }) => definition),
      // Before version 17 a partitioned table cannot have identity columns.
      ...counters.rows.flatMap(({ name }) => [
        `create sequence ${table}_${name}_counter owned by ${table}.${name}`,
        `alter table ${table} alter ${name} set default nextval('${table}_${name}_counter')`,
      ]),
      ...parts,
      'commit',
    ].join(';\n'),
  );
}
