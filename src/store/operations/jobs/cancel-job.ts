import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import { release } from '../reservations.ts';
import { endJob } from './complete-pages.ts';
import type { JobStatus } from './read-job.ts';
import { lockTeam } from './ready.ts';
import { byIndexAlone } from './rows.ts';
import type { JobKind } from './start-job.ts';
import { tellOfEnd } from './webhook-events.ts';

/**
 * Cancels a job: no page of it is claimed any more, those under way end as they would. A job that has ended stays as it
 * is. Gives the status that the job has then; null when there is no such job.
 */
export async function cancelJob(
  db: Database,
  { teamId, kind, id, at }: { teamId: string; kind: JobKind; id: string; at: number },
): Promise<Exclude<JobStatus, 'scraping'> | null> {
  await Promise.all([byIndexAlone(db), lockTeam(db, teamId)]);
  const [row] = await db.all(sql`
    select jobs.number, job_progress.status
    from jobs join job_progress on job_progress.job = jobs.number
    where jobs.id = ${id} and jobs.team_id = ${teamId} and jobs.kind = ${kind}
    and (job_progress.expires_at is null or job_progress.expires_at > ${at})`);
  if (row === undefined) return null;
  if (row.status !== 'scraping') return row.status === 'completed' ? 'completed' : 'cancelled';
  await cancelOpenJob(db, { teamId, job: integer(row.number), at });
  return 'cancelled';
}

/** Cancels a job that goes on. The team is locked. */
export async function cancelOpenJob(
  db: Database,
  { teamId, job, at }: { teamId: string; job: number; at: number },
): Promise<void> {
  const [row] = await db.all(sql`
    select jobs.id, jobs.keep_ms, job_progress.waiting, job_progress.running
    from jobs join job_progress on job_progress.job = jobs.number where jobs.number = ${job}`);
  await endJob(db, { job, status: 'cancelled', at, keepMs: integer(row?.keep_ms) });
  // While pages are under way there will be more to tell.
  if (row?.running === 0) await tellOfEnd(db, { job, at, type: 'failed' });
  await db.run(sql`
    update job_teams set waiting = waiting - ${integer(row?.waiting)} where team_id = ${teamId}`);
  await release(db, { teamId, id: text(row?.id) });
}
