import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import { release } from '../reservations.ts';
import { endJob } from './end-job.ts';
import { type JobStatus, toStatus } from './read-job.ts';
import { lockTeam } from './ready.ts';
import { byIndexAlone, type JobRef } from './rows.ts';
import { addEndEvent } from './webhook-events.ts';

/**
 * Cancels a job: none of its tasks is claimed any more, and running tasks finish. A job that has ended does not change.
 * Returns the resulting status; null if there is no such job.
 */
export async function cancelJob(
  db: Database,
  { teamId, kind, id, at }: { teamId: string; kind: string; id: string; at: number },
): Promise<Exclude<JobStatus, 'scraping'> | null> {
  const [, { team }] = await Promise.all([byIndexAlone(db), lockTeam(db, teamId)]);
  const [row] = await db.all(sql`
    select jobs.number, job_progress.status
    from jobs join job_progress on job_progress.team = jobs.team and job_progress.job = jobs.number
    where jobs.team = ${team} and jobs.id = ${id} and jobs.kind = ${kind}
    and (job_progress.expires_at is null or job_progress.expires_at > ${at})`);
  if (row === undefined) return null;
  const status = toStatus(row.status);
  if (status !== 'scraping') return status;
  await cancelOpenJob(db, { teamId, team, job: integer(row.number), at });
  return 'cancelled';
}

/** Cancels a running job. The caller has locked the team. */
export async function cancelOpenJob(
  db: Database,
  { teamId, at, ...ref }: JobRef & { teamId: string; at: number },
): Promise<void> {
  const [row] = await db.all(sql`
    select jobs.id, jobs.keep_ms, job_progress.waiting, job_progress.running
    from jobs join job_progress on job_progress.team = jobs.team and job_progress.job = jobs.number
    where jobs.team = ${ref.team} and jobs.number = ${ref.job}`);
  await endJob(db, ref, { end: { status: 'cancelled' }, at, keepMs: integer(row?.keep_ms) });
  // Running tasks still report their own events first.
  if (row?.running === 0) await addEndEvent(db, ref, { at, type: 'failed' });
  await db.run(sql`
    update job_teams set waiting = waiting - ${integer(row?.waiting)} where number = ${ref.team}`);
  await release(db, { teamId, id: text(row?.id) });
}
