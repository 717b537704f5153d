import type { Database } from '../../database.ts';
import { integer, nullable, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import type { JobRef } from './rows.ts';

export interface JobKey {
  /** The number of the job. */
  id: string;
  /** Its key, encrypted; null if it was erased. */
  sealedKey: string | null;
  /** Whether its tasks are sealed with it. */
  hidesTasks: boolean;
}

export async function addJobKey(db: Database, { team, job }: JobRef, sealedKey: string): Promise<void> {
  await db.run(sql`insert into job_keys (team, job, sealed_key) values (${team}, ${job}, ${sealedKey})`);
}

/** The key of a job; null if there is no such job. */
export async function findJobKey(db: Database, { team, job }: JobRef): Promise<JobKey | null> {
  const [row] = await db.all(sql`
    select jobs.id, jobs.hides_tasks, job_keys.sealed_key
    from jobs left join job_keys on job_keys.team = jobs.team and job_keys.job = jobs.number
    where jobs.team = ${team} and jobs.number = ${job}`);
  if (row === undefined) return null;
  return { id: text(row.id), sealedKey: nullable(text)(row.sealed_key), hidesTasks: integer(row.hides_tasks) === 1 };
}

/**
 * Erases the keys of at most `limit` expired jobs. From then on their sealed values are unreadable, however long the
 * removal of their rows takes. Returns how many keys were erased.
 */
export async function eraseJobKeys(db: Database, { at, limit }: { at: number; limit: number }): Promise<number> {
  return db.run(sql`
    delete from job_keys where (team, job) in (
      select job_keys.team, job_keys.job
      from job_progress join job_keys on job_keys.team = job_progress.team and job_keys.job = job_progress.job
      where job_progress.expires_at <= ${at} order by job_progress.expires_at limit ${limit}
    )`);
}
