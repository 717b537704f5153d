import type { ByteKeeper } from '../artifacts/byte-keeper.ts';
import { readBytes } from '../artifacts/large-results.ts';
import type { Database } from '../database.ts';
import { WITH_RESULT } from '../operations/artifacts.ts';
import { type Row, text } from '../row.ts';
import { raw, type Sql, sql } from '../sql.ts';
import type { Table } from './tables.ts';

// A copy shares no files with its original: the bytes of large results stand in its rows.

/** What to copy of a table: everything but the artifacts of results. */
export function copied({ name }: Table): Sql {
  return name === 'artifacts' ? sql`expires_at < ${WITH_RESULT}` : raw('true');
}

/** An expression for the most bytes that a file holds of a row. */
export function bytesElsewhere({ columns }: Table): string {
  const names = columns.map(({ name }) => name);
  if (!names.includes('artifact')) return '0';
  return `case when artifact is null then 0 else ${names.includes('size') ? 'size' : 'stored_size'} end`;
}

/** Puts the bytes of large results into their rows. A row whose file is missing stays as it is. Throws BytesAway. */
export function withBytes(db: Database, keeper: ByteKeeper | null, rows: readonly Row[]): Promise<Row[]> {
  return Promise.all(
    rows.map(async (row) => {
      if (keeper === null || row.artifact === null || row.artifact === undefined) return row;
      const size = Number(row.size ?? row.document_size);
      const document = await readBytes(keeper, { teamId: await teamIdOf(db, row), id: text(row.artifact) }, size);
      return document === null ? row : { ...row, document, artifact: null };
    }),
  );
}

async function teamIdOf(db: Database, row: Row): Promise<string> {
  if (row.team_id !== undefined) return text(row.team_id);
  const [team] = await db.all(sql`select team_id from job_teams where number = ${Number(row.team)}`);
  return text(team?.team_id);
}
