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

/** Removes the oldest cached pages until the rest takes no more than `maxBytes`, at most `limit`. Tells how many. */
export async function shrinkPageCache(
  db: Database,
  { maxBytes, limit }: { maxBytes: number; limit: number },
): Promise<number> {
  // Reads an index of 20 bytes a page and no page: 30 ms for 500,000 pages.
  const [total] = await db.all(sql`select cast(coalesce(sum(stored_size), 0) as bigint) as bytes from pages`);
  let excess = integer(total?.bytes) - maxBytes;
  if (excess <= 0) return 0;

  const oldest = await db.all(sql`
    select stored_at, stored_size from pages order by stored_at, stored_size limit ${limit}`);
  let storedBefore = 0;
  let count = 0;
  for (const row of oldest) {
    if (excess <= 0) break;
    excess -= integer(row.stored_size);
    storedBefore = integer(row.stored_at) + 1;
    count += 1;
  }
  return removeOldPages(db, { storedBefore, limit: count });
}

/** Gives free pages of the file back to the disk: a bounded number, those above what new rows will soon fill again. */
export async function giveDiskBack(db: Database): Promise<boolean> {
  // PostgreSQL does this by itself (autovacuum).
  if (db.dialect === 'postgres') return false;
  const [row] = await db.all(sql`pragma freelist_count`);
  const spare = integer(row?.freelist_count) - KEPT_FREE;
  if (spare <= 0) return false;
  const step = Math.min(spare, STEP);
  // Read to its end like a query: each step of the statement frees one page.
  await db.all(raw(`pragma incremental_vacuum(${step})`));
  return spare > step;
}

/** In pages of 4 KB: 4 MB stay, 8 MB go in one step. */
const KEPT_FREE = 1024;
const STEP = 2048;

/** Rows that another process has under its hands are left to it. SQLite has one writer and nothing to skip. */
function skipLocked({ dialect }: Database) {
  return raw(dialect === 'postgres' ? 'for update skip locked' : '');
}
