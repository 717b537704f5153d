import { setImmediate } from 'node:timers/promises';
import { TrawlError } from '../../errors.ts';
import type { Database } from '../database.ts';
import type { Row } from '../row.ts';
import { raw, Sql, type SqlValue, sql } from '../sql.ts';
import { bytesElsewhere, copied, withBytes } from './large-documents.ts';
import type { Source } from './source.ts';
import type { Column, Table } from './tables.ts';

/** Rows and bytes of one step. Memory holds a step twice; a single row may be larger. */
const MAX_ROWS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** The values of a primary key. */
type Key = readonly SqlValue[];

/**
 * Copies all rows of the tables, and reads each back to compare it with its original. Both connections return integers
 * as bigints. Throws when a row differs.
 * @param onProgress called with the table and the number of its rows copied so far
 */
export async function copyRows(
  { db: from, keeper }: Pick<Source, 'db' | 'keeper'>,
  to: Database,
  tables: readonly Table[],
  onProgress: (table: string, rows: number) => void,
): Promise<number> {
  let total = 0;
  for (const table of tables) {
    let rows = 0;
    for (let after: Key | null = null; ; ) {
      const end: Key | null = await findEnd(from, table, after);
      if (end === null) break;
      const range = rowsBetween(table, after, end);
      const originals = await withBytes(from, keeper, await from.all(range));
      await insertRows(to, table, originals);
      assertEqual(table, originals, await to.all(range));
      rows += originals.length;
      onProgress(table.name, rows);
      after = end;
      // SQLite blocks this thread. This lets the progress display run.
      await setImmediate();
    }
    const [row] = await to.all(sql`select count(*) as count from ${raw(table.name)}`);
    if (Number(row?.count) !== rows) throw differs(table, `has ${row?.count} rows instead of ${rows}`);
    total += rows;
  }
  return total;
}

/** The key of the last row of the next step; null at the end of the table. Reads no large values. */
async function findEnd(from: Database, table: Table, after: Key | null): Promise<Key | null> {
  const sizes = table.columns
    .filter(({ type }) => type !== 'integer')
    .map(({ name }) => `coalesce(octet_length(${name}), 0)`);
  const rows = await from.all(sql`
    select ${listed(table.key)}, ${raw([bytesElsewhere(table), ...sizes].join(' + '))} as row_bytes from ${raw(table.name)}
    where ${copied(table)} ${after === null ? raw('') : sql`and ${compared(table, '>', after)}`}
    order by ${listed(table.key)} limit ${MAX_ROWS}`);
  let bytes = 0;
  const over = rows.findIndex((row, index) => {
    bytes += Number(row.row_bytes);
    return bytes > MAX_BYTES && index > 0;
  });
  const last = over === -1 ? rows.at(-1) : rows[over - 1];
  return last === undefined ? null : table.key.map(({ name }) => toValue(last[name]));
}

function rowsBetween(table: Table, after: Key | null, end: Key): Sql {
  return sql`
    select ${listed(table.columns)} from ${raw(table.name)}
    where ${copied(table)} and ${compared(table, '<=', end)} ${after === null ? raw('') : sql`and ${compared(table, '>', after)}`}
    order by ${listed(table.key)}`;
}

function listed(columns: readonly Column[]): Sql {
  return raw(columns.map(({ name }) => name).join(', '));
}

function compared({ key }: Table, operator: '>' | '<=', values: Key): Sql {
  return sql`(${listed(key)}) ${raw(operator)} (${commaSeparated(values)})`;
}

function commaSeparated(values: readonly SqlValue[]): Sql {
  return values.map((value) => sql`${value}`).reduce((list, value) => sql`${list}, ${value}`);
}

/** Rows in one insert on PostgreSQL, to save round trips. */
const MAX_INSERTED = 128;

async function insertRows(to: Database, table: Table, rows: readonly Row[]): Promise<void> {
  for (let first = 0; first < rows.length; ) {
    const left = rows.length - first;
    // Powers of two keep the number of prepared statements small.
    const count = to.dialect === 'sqlite' ? 1 : Math.min(MAX_INSERTED, 2 ** Math.floor(Math.log2(left)));
    await to.run(insertion(to, table, rows.slice(first, first + count)));
    first += count;
  }
}

function insertion({ dialect }: Database, { name, columns }: Table, rows: readonly Row[]): Sql {
  const values = rows.flatMap((row) => columns.map((column) => toValue(row[column.name])));
  const between = values.slice(1).map((_, index) => ((index + 1) % columns.length === 0 ? '), (' : ', '));
  // Also for columns whose numbers the database would generate.
  const given = dialect === 'postgres' ? 'overriding system value' : '';
  const names = columns.map((column) => column.name).join(', ');
  return new Sql([`insert into ${name} (${names}) ${given} values (`, ...between, ')'], values);
}

function toValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'bigint' || value instanceof Uint8Array) {
    return value;
  }
  throw new Error(`A column holds a value that cannot be copied: ${typeof value}.`);
}

function assertEqual(table: Table, originals: readonly Row[], copies: readonly Row[]): void {
  for (const [index, original] of originals.entries()) {
    const copy = copies[index];
    const column = table.columns.find(({ name }) => copy === undefined || !isSame(original[name], copy[name]));
    if (column === undefined) continue;
    const key = table.key.map(({ name }) => String(original[name])).join(', ');
    throw differs(table, `does not have the same row (${key}): ${column.name} differs`);
  }
  if (copies.length !== originals.length) throw differs(table, 'has rows that are not in the original');
}

function isSame(one: unknown, other: unknown): boolean {
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return one === other;
  return Buffer.compare(one, other) === 0;
}

function differs({ name }: Table, how: string): TrawlError {
  return new TrawlError('INTERNAL_ERROR', `The copy of the table ${name} ${how}. The copy was discarded.`);
}
