import type { Database } from '../../database.ts';
import { integer, nullable, text } from '../../row.ts';
import { sql } from '../../sql.ts';

export interface JobKey {
  /** Of the job. */
  id: string;
  /** Its key, encrypted; null when it was erased. */
  sealedKey: string | null;
  /** Whether its pages are sealed with it. */
  hidesPages: boolean;
}

/** The key of a job; null when there is no such job. */
export async function findJobKey(db: Database, job: number): Promise<JobKey | null> {
  const [row] = await db.all(sql`
    select id, sealed_key, hides_pages from jobs where number = ${job}`);
  if (row === undefined) return null;
  return { id: text(row.id), sealedKey: nullable(text)(row.sealed_key), hidesPages: integer(row.hides_pages) === 1 };
}

/**
 * Erases the keys of jobs that are over their time, at most `limit`: from then on nobody can read what was sealed of
 * them, however long its removal takes. Tells how many.
 */
export async function eraseJobKeys(db: Database, { at, limit }: { at: number; limit: number }): Promise<number> {
  return db.run(sql`
    update jobs set sealed_key = null where number in (
      select jobs.number from job_progress join jobs on jobs.number = job_progress.job
      where job_progress.expires_at <= ${at} and jobs.sealed_key is not null
      order by job_progress.expires_at limit ${limit}
    )`);
}
