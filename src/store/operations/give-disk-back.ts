import type { Database } from '../database.ts';
import { integer } from '../row.ts';
import { raw, sql } from '../sql.ts';

/** In pages of 4 KB. 4 MB stay free, because new rows will soon need them. A step of 1 MB takes 8 ms. */
const KEPT_FREE = 1024;
const STEP = 256;

/** Returns some free pages of the file to the file system. Returns whether there are more. */
export async function giveDiskBack(db: Database): Promise<boolean> {
  // PostgreSQL does this by itself (autovacuum).
  if (db.dialect === 'postgres') return false;
  const [row] = await db.all(sql`pragma freelist_count`);
  const spare = integer(row?.freelist_count) - KEPT_FREE;
  if (spare <= 0) return false;
  const pages = Math.min(spare, STEP);
  // Must be read to its end like a query: each step of the statement frees one page.
  await db.all(raw(`pragma incremental_vacuum(${pages})`));
  return spare > pages;
}
