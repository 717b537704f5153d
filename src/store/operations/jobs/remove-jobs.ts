import type { Database } from '../../database.ts';
import { integer } from '../../row.ts';
import { sql } from '../../sql.ts';
import { byIndexAlone } from './rows.ts';

/** All other rows are small: as many of them as this for one document. */
const ROWS_PER_DOCUMENT = 10;

/**
 * Removes some of a job that is over its time: at most `limit` documents or ten times as many other rows, and the job itself
 * when nothing else is left of it. Tells whether there was anything to remove.
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
  const job = integer(row.job);
  // First, for what it would tell of is going.
  await db.run(sql`delete from webhooks where job = ${job}`);
  const documents = await db.run(sql`
    delete from job_results where job = ${job} and seq in (select seq from job_results where job = ${job} limit ${limit})`);
  if (documents > 0) return true;
  const pages = await db.run(sql`
    delete from job_pages where job = ${job}
    and page_key in (select page_key from job_pages where job = ${job} limit ${limit * ROWS_PER_DOCUMENT})`);
  if (pages > 0) return true;
  const lanes = await db.run(sql`
    delete from job_lanes where number in (select number from job_lanes where job = ${job} limit ${limit * ROWS_PER_DOCUMENT})`);
  if (lanes > 0) return true;
  const shapes = await db.run(sql`
    delete from job_shapes where job = ${job}
    and shape in (select shape from job_shapes where job = ${job} limit ${limit * ROWS_PER_DOCUMENT})`);
  if (shapes > 0) return true;
  const events = await db.run(sql`
    delete from webhook_events where job = ${job}
    and seq in (select seq from webhook_events where job = ${job} limit ${limit * ROWS_PER_DOCUMENT})`);
  if (events > 0) return true;
  await db.run(sql`delete from job_requests where job = ${job}`);
  // Erased before, unless more jobs ended in this moment than keys are erased in one go.
  await db.run(sql`delete from job_keys where job = ${job}`);
  await db.run(sql`delete from job_progress where job = ${job}`);
  await db.run(sql`delete from jobs where number = ${job}`);
  return true;
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
