import type { Database } from '../database.ts';
import { integer, type Row, text } from '../row.ts';
import { raw, sql } from '../sql.ts';
import { WITH_RESULT } from './artifacts.ts';
import { findTeamNumber } from './jobs/ready.ts';
import { byIndexAlone } from './jobs/rows.ts';
import { removeDocuments } from './stored-document.ts';

// Removes what exceeds the limits on size: the oldest rows of one team. All sizes are those of the stored, compressed
// bytes.

export interface TeamSize {
  teamId: string;
  bytes: number;
}

/** The size of the whole store in bytes, which is an upper bound for each part of it. Cheap to read. */
export async function measureStore(db: Database): Promise<number> {
  const [row] = await db.all(
    db.dialect === 'sqlite'
      ? sql`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
      : sql`select pg_database_size(current_database()) as bytes`,
  );
  return integer(row?.bytes);
}

/** The size of each team's cached pages and their documents, in bytes. Reads only indexes: 100 ms for 500,000 pages. */
export async function measureCaches(db: Database): Promise<TeamSize[]> {
  const rows = await db.all(sql`
    select team_id, cast(sum(bytes) as bigint) as bytes from (
      select team_id, sum(stored_size) as bytes from pages group by team_id
      union all
      select team_id, sum(stored_size) from page_documents group by team_id
    ) as sizes
    group by team_id`);
  return rows.map(toSize);
}

/** The size of each team's results, in bytes: of scrapes, artifacts, and jobs that have not expired at `at`. */
export async function measureResults(db: Database, at: number): Promise<TeamSize[]> {
  const rows = await db.all(sql`
    select team_id, cast(sum(bytes) as bigint) as bytes from (
      select team_id, sum(stored_size) as bytes from scrapes group by team_id
      union all
      select job_teams.team_id, sum(stored_size) from job_progress join job_teams on job_teams.number = job_progress.team
      where expires_at is null or expires_at > ${at} group by job_teams.team_id
      union all
      select team_id, sum(size) from artifacts where expires_at > ${at} and expires_at < ${WITH_RESULT} group by team_id
    ) as sizes
    group by team_id`);
  return rows.map(toSize);
}

function toSize(row: Row): TeamSize {
  return { teamId: text(row.team_id), bytes: integer(row.bytes) };
}

export interface Excess {
  teamId: string;
  /** The minimum number of bytes to remove. */
  bytes: number;
  /** The maximum number of rows to remove. */
  limit: number;
}

export interface Removed {
  rows: number;
  bytes: number;
}

/** Removes the team's oldest cached pages, with their documents. */
export async function removeOldestPages(db: Database, { teamId, bytes, limit }: Excess): Promise<Removed> {
  await byIndexAlone(db);
  const oldest = sql`from pages where team_id = ${teamId} order by pages.stored_at, pages.stored_size`;
  const pages = await db.all(sql`
    select cast(pages.stored_size + coalesce((
      select sum(known.stored_size) from page_documents as known
      where known.team_id = ${teamId} and known.page_key = pages.key
    ), 0) as bigint) as stored_size
    ${oldest} limit ${limit}`);
  const removed = coverExcess(pages, bytes);
  await db.run(sql`
    delete from pages where team_id = ${teamId} and key in (select key ${oldest} limit ${removed.rows})`);
  return removed;
}

/**
 * Removes the team's oldest results: the scrapes, jobs and artifacts that would expire first. Running jobs stay, and so
 * does the job that ended last, however large it is: its results may not have been read yet.
 */
export async function removeOldestResults(
  db: Database,
  { teamId, bytes, limit, at }: Excess & { at: number },
): Promise<Removed> {
  await byIndexAlone(db);
  const scrapes = await db.all(sql`
    select id, expires_at, stored_size from scrapes where team_id = ${teamId}
    order by expires_at, stored_size limit ${limit}`);
  const team = await findTeamNumber(db, teamId);
  const jobs = await db.all(sql`
    select job, expires_at, stored_size from job_progress
    where team = ${team} and expires_at > ${at} and running = 0 and expires_at < (
      select max(newest.expires_at) from job_progress as newest
      where newest.team = ${team} and newest.expires_at is not null
    )
    order by expires_at limit ${limit}`);
  const artifacts = await db.all(sql`
    select id as artifact, expires_at, size as stored_size from artifacts
    where team_id = ${teamId} and expires_at > ${at} and expires_at < ${WITH_RESULT} and kept_at is not null
    order by expires_at limit ${limit}`);
  const oldest = [...scrapes, ...jobs, ...artifacts]
    .sort((one, other) => integer(one.expires_at) - integer(other.expires_at))
    .slice(0, limit);
  const removed = coverExcess(oldest, bytes);
  for (const row of oldest.slice(0, removed.rows)) {
    if ('job' in row) {
      await db.run(sql`update job_progress set expires_at = ${at} where team = ${team} and job = ${integer(row.job)}`);
    } else if ('artifact' in row) {
      await db.run(sql`
        update artifacts set expires_at = ${at} where team_id = ${teamId} and id = ${text(row.artifact)}`);
    } else {
      const removal = sql`delete from scrapes where team_id = ${teamId} and id = ${text(row.id)}`;
      await removeDocuments(db, removal, raw('team_id'));
    }
  }
  return removed;
}

/** How many of the first rows are needed to cover the excess, and their total size. */
function coverExcess(rows: readonly Row[], excess: number): Removed {
  const removed = { rows: 0, bytes: 0 };
  for (const row of rows) {
    if (removed.bytes >= excess) break;
    removed.bytes += integer(row.stored_size);
    removed.rows += 1;
  }
  return removed;
}
