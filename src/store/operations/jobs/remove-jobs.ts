import type { Database } from '../../database.ts';
import { integer } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { removeDocuments } from '../stored-document.ts';
import { byIndexAlone, type JobRef, ofJob, teamIdOf } from './rows.ts';

/** Other rows are small: this many of them count as one document. */
const ROWS_PER_DOCUMENT = 10;

/**
 * Removes some rows of an expired job. Returns whether there was anything to remove.
 *
 * @param skip jobs to pass over, those that expired first
 */
export async function removeExpiredJob(
  db: Database,
  { at, limit, skip }: { at: number; limit: number; skip: number },
): Promise<boolean> {
  await byIndexAlone(db);
  const [row] = await db.all(sql`
    select team, job from job_progress where expires_at <= ${at} order by expires_at, job limit 1 offset ${skip}`);
  if (row === undefined) return false;
  await removeJob(db, { team: integer(row.team), job: integer(row.job), limit });
  return true;
}

/** The parts of a job, in the order of their removal. */
const PARTS = [
  ['job_results', 'seq'],
  ['job_tasks', 'task_key'],
  ['job_lanes', 'number'],
  ['job_shapes', 'shape'],
  ['job_conclusions', 'job'],
  ['job_requests', 'idempotency_key'],
  // Usually erased before, unless more jobs expired at once than one step erases.
  ['job_keys', 'job'],
] as const;

/**
 * Removes at most `limit` documents of a job, or ten times as many other rows. Removes the job itself when nothing else
 * is left of it.
 */
export async function removeJob(db: Database, { limit, ...ref }: JobRef & { limit: number }): Promise<void> {
  // First, because events refer to the rows that follow.
  if (await removeEvents(db, ref, limit * ROWS_PER_DOCUMENT)) return;
  for (const [table, key] of PARTS) {
    const most = table === 'job_results' ? limit : limit * ROWS_PER_DOCUMENT;
    const removal = sql`
      delete from ${raw(table)} where ${ofJob(ref)}
      and ${raw(key)} in (select ${raw(key)} from ${raw(table)} where ${ofJob(ref)} limit ${most})`;
    const hasDocuments = table === 'job_results' || table === 'job_conclusions';
    const removed = await (hasDocuments ? removeDocuments(db, removal, teamIdOf(ref)) : db.run(removal));
    if (removed > 0) return;
  }
  await db.run(sql`delete from job_progress where ${ofJob(ref)}`);
  await db.run(sql`delete from jobs where team = ${ref.team} and number = ${ref.job}`);
}

/** Removes some events of the job's webhook, and the webhook with the last ones. Returns whether some may be left. */
async function removeEvents(db: Database, ref: JobRef, limit: number): Promise<boolean> {
  const [webhook] = await db.all(sql`select number from webhooks where ${ofJob(ref)}`);
  if (webhook === undefined) return false;
  // Nothing more is delivered for a job that is being removed.
  await db.run(sql`update webhooks set run_at = null where ${ofJob(ref)} and run_at is not null`);
  const events = sql`team = ${ref.team} and webhook = ${integer(webhook.number)}`;
  const removed = await db.run(sql`
    delete from webhook_events where ${events}
    and seq in (select seq from webhook_events where ${events} limit ${limit})`);
  if (removed === limit) return true;
  await db.run(sql`delete from webhooks where ${ofJob(ref)}`);
  return false;
}

/** Forgets the pace of at most `limit` hosts that have not been contacted since `before`. Returns how many. */
export async function removeOldHosts(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  return db.run(sql`
    delete from hosts where host in (select host from hosts where next_at < ${before} limit ${limit})`);
}

/** The same for paces from robots.txt files. */
export async function removeOldRobotsPaces(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  return db.run(sql`
    delete from robots_paces
    where (host, agent) in (select host, agent from robots_paces where next_at < ${before} limit ${limit})`);
}
