import type { Database } from '../../database.ts';
import { integer } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { byIndexAlone } from './rows.ts';

/** All other rows are small: as many of them as this for one document. */
const ROWS_PER_DOCUMENT = 10;

/**
 * Removes some of a job that is over its time. Tells whether there was anything to remove.
 *
 * @param skip jobs to pass over, those that expired first
 */
export async function removeExpiredJob(
  db: Database,
  { at, limit, skip }: { at: number; limit: number; skip: number },
): Promise<boolean> {
  await byIndexAlone(db);
  const [row] = await db.all(sql`
    select job from job_progress where expires_at <= ${at} order by expires_at, job limit 1 offset ${skip}`);
  if (row === undefined) return false;
  await removeJob(db, { job: integer(row.job), limit });
  return true;
}

/** What belongs to a job, in the order in which it goes. */
const PARTS = [
  ['job_results', 'seq'],
  ['job_pages', 'page_key'],
  ['job_lanes', 'number'],
  ['job_shapes', 'shape'],
  ['webhook_events', 'seq'],
  ['job_requests', 'idempotency_key'],
  // Erased before, unless more jobs ended in this moment than keys are erased in one go.
  ['job_keys', 'job'],
] as const;

/**
 * Removes at most `limit` documents of a job or ten times as many other rows, and the job itself when nothing else is left
 * of it.
 */
export async function removeJob(db: Database, { job, limit }: { job: number; limit: number }): Promise<void> {
  // First, for what it would tell of is going.
  await db.run(sql`delete from webhooks where job = ${job}`);
  for (const [table, key] of PARTS) {
    const most = table === 'job_results' ? limit : limit * ROWS_PER_DOCUMENT;
    const removed = await db.run(sql`
      delete from ${raw(table)} where job = ${job}
      and ${raw(key)} in (select ${raw(key)} from ${raw(table)} where job = ${job} limit ${most})`);
    if (removed > 0) return;
  }
  await db.run(sql`delete from job_progress where job = ${job}`);
  await db.run(sql`delete from jobs where number = ${job}`);
}

/** Forgets the pace of hosts that nobody has asked since `before`, at most `limit`. Tells how many. */
export async function removeOldHosts(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  return db.run(sql`
    delete from hosts where host in (select host from hosts where next_at < ${before} limit ${limit})`);
}

/** The same of the paces that robots.txt files want. */
export async function removeOldRobotsPaces(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  return db.run(sql`
    delete from robots_paces
    where (host, agent) in (select host, agent from robots_paces where next_at < ${before} limit ${limit})`);
}
