import type { Database } from '../../database.ts';
import { sql } from '../../sql.ts';
import { claimBytes, type NewDocument } from '../stored-document.ts';
import { type JobRef, ofJob } from './rows.ts';
import { addEndEvent } from './webhook-events.ts';

/** The outcome of a job. */
export type JobEnd =
  | { status: 'completed' | 'cancelled' }
  /** Its conclusion failed. */
  | { status: 'failed'; code: string; message: string };

/** Ends a job: its results can be read for a while, and its options are erased. */
export async function endJob(
  db: Database,
  ref: JobRef,
  { end, at, keepMs }: { end: JobEnd; at: number; keepMs: number },
): Promise<void> {
  const { code, message } = end.status === 'failed' ? end : { code: null, message: null };
  await db.run(sql`
    update job_progress set
      status = ${end.status}, waiting = 0, ready_at = null, finished_at = ${at}, expires_at = ${at + keepMs},
      error_code = ${code}, error_message = ${message}
    where ${ofJob(ref)}`);
  await db.run(sql`
    update jobs set options = null, summary = null where team = ${ref.team} and number = ${ref.job}`);
  // The running tasks of a cancelled job still report their own events first.
  if (end.status !== 'cancelled') await addEndEvent(db, ref, { at, type: end.status });
}

/** Stores the job's own result. */
export async function keepConclusion(db: Database, { team, job }: JobRef, document: NewDocument): Promise<void> {
  const { size, bytes, artifact } = document;
  await db.run(sql`
    insert into job_conclusions (team, job, size, document, artifact)
    values (${team}, ${job}, ${size}, ${bytes}, ${artifact?.id ?? null})`);
  await claimBytes(db, document);
}
