import type { Database } from '../database.ts';
import { integer } from '../row.ts';
import { raw, sql } from '../sql.ts';

/** Removes scrapes that are over their time, at most `limit`. Tells how many. */
export async function removeExpiredScrapes(
  db: Database,
  { at, limit }: { at: number; limit: number },
): Promise<number> {
  return db.run(sql`
    delete from scrapes where id in (
      select id from scrapes where expires_at <= ${at} order by expires_at limit ${limit} ${skipLocked(db)}
    )`);
}

/** Removes cached pages that were stored before `storedBefore`, at most `limit`. Tells how many. */
export async function removeOldPages(
  db: Database,
  { storedBefore, limit }: { storedBefore: number; limit: number },
): Promise<number> {
  return db.run(sql`
    delete from pages where (team_id, key) in (
      select team_id, key from pages where stored_at < ${storedBefore} order by stored_at limit ${limit} ${skipLocked(db)}
    )`);
}

/** Removes what was counted of callers without a key on days before `day`, at most `limit`. Tells how many. */
export async function removeKeylessDays(db: Database, { day, limit }: { day: number; limit: number }): Promise<number> {
  return db.run(sql`
    delete from keyless_days where (day, client) in (
      select day, client from keyless_days where day < ${day} limit ${limit} ${skipLocked(db)}
    )`);
}

/** Removes windows of requests that ended before `before`, at most `limit`. Tells how many. */
export async function removeEndedWindows(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  // On SQLite they are in memory.
  if (db.dialect === 'sqlite') return 0;
  return db.run(sql`
    delete from rate_windows where (subject, endpoint_group) in (
      select subject, endpoint_group from rate_windows where ends_at < ${before} limit ${limit} for update skip locked
    )`);
}

/** Removes places that nobody has taken since `before`, at most `limit`. Tells how many. */
export async function removeOldPlaces(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  if (db.dialect === 'sqlite') return 0;
  return db.run(sql`
    delete from work_places where (subject, place) in (
      select subject, place from work_places where expires_at < ${before} limit ${limit} for update skip locked
    )`);
}

/**
 * The moment before which cached pages have to go so that the rest takes no more than `maxBytes`, or null when all have
 * room. Looks at the oldest `limit` pages only: when more have to go it is found by asking again.
 */
export async function findCacheCutoff(
  db: Database,
  { maxBytes, limit }: { maxBytes: number; limit: number },
): Promise<number | null> {
  // Reads an index of 20 bytes a page, and no page: 35 ms for 500,000.
  const [total] = await db.all(sql`select cast(coalesce(sum(stored_size), 0) as bigint) as bytes from pages`);
  let excess = integer(total?.bytes) - maxBytes;
  let cutoff: number | null = null;
  if (excess <= 0) return cutoff;

  const oldest = await db.all(sql`
    select stored_at, stored_size from pages order by stored_at, stored_size limit ${limit}`);
  for (const row of oldest) {
    if (excess <= 0) break;
    excess -= integer(row.stored_size);
    cutoff = integer(row.stored_at) + 1;
  }
  return cutoff;
}

/** In pages of 4 KB: 4 MB stay free, because new rows will soon want them. A step of 1 MB takes 8 ms. */
const KEPT_FREE = 1024;
const STEP = 256;

/** Gives some free pages of the file back to the disk. Tells whether there are more. */
export async function giveDiskBack(db: Database): Promise<boolean> {
  // PostgreSQL does this by itself (autovacuum).
  if (db.dialect === 'postgres') return false;
  const [row] = await db.all(sql`pragma freelist_count`);
  const spare = integer(row?.freelist_count) - KEPT_FREE;
  if (spare <= 0) return false;
  const pages = Math.min(spare, STEP);
  // Read to its end like a query: each step of the statement frees one page.
  await db.all(raw(`pragma incremental_vacuum(${pages})`));
  return spare > pages;
}

/** Rows that another process has under its hands are left to it. SQLite has one writer and nothing to skip. */
function skipLocked({ dialect }: Database) {
  return raw(dialect === 'postgres' ? 'for update skip locked' : '');
}
