import type { Database } from '../../database.ts';
import { integer, nullable, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { type StoredDocument, toStoredDocument } from '../stored-document.ts';
import { type StoredWebhook, toWebhook, WEBHOOK_COLUMNS, type WebhookState } from './read-webhook.ts';
import { type JobRef, ofJob, ROLE, teamIdOf } from './rows.ts';

export type JobStatus = 'scraping' | 'completed' | 'failed' | 'cancelled';

/** The progress of a job. */
export interface StoredJob extends Omit<JobState, 'webhook'> {
  webhook: StoredWebhook | null;
}

/** The same, as stored. */
export interface JobState extends JobRef {
  id: string;
  apiVersion: string;
  status: JobStatus;
  total: number;
  /** Running tasks. */
  running: number;
  /** Main tasks with a readable result. */
  completed: number;
  /** Main tasks that ended without a result: they failed, or robots.txt forbids them. */
  failed: number;
  credits: number;
  /** Why the job failed as a whole; null unless it did. */
  error: { code: string; message: string } | null;
  createdAt: number;
  finishedAt: number | null;
  /** Null while the job runs. */
  expiresAt: number | null;
  /** How long after its end results can be read. */
  keepMs: number;
  /** The formats of its results; null for jobs from before formats were recorded. */
  formats: readonly string[] | null;
  webhook: WebhookState | null;
}

/** A job of the team that has not expired at `at`. */
export async function findJob(
  db: Database,
  { team, kind, id, at }: { team: number; kind: string; id: string; at: number },
): Promise<JobState | null> {
  const [row] = await db.all(sql`
    select
      jobs.team, jobs.number, jobs.id, jobs.api_version, jobs.keep_ms, jobs.created_at, jobs.formats, job_progress.status,
      job_progress.total, job_progress.running, job_progress.completed, job_progress.failed, job_progress.credits,
      job_progress.finished_at, job_progress.expires_at, job_progress.error_code, job_progress.error_message,
      ${WEBHOOK_COLUMNS}
    from jobs
    join job_progress on job_progress.team = jobs.team and job_progress.job = jobs.number
    left join webhooks on webhooks.team = jobs.team and webhooks.job = jobs.number
    where jobs.team = ${team} and jobs.id = ${id} and jobs.kind = ${kind}
    and (job_progress.expires_at is null or job_progress.expires_at > ${at})`);
  if (row === undefined) return null;
  return {
    team: integer(row.team),
    job: integer(row.number),
    id: text(row.id),
    apiVersion: text(row.api_version),
    status: toStatus(row.status),
    total: integer(row.total),
    running: integer(row.running),
    completed: integer(row.completed),
    failed: integer(row.failed),
    credits: integer(row.credits),
    error: row.error_code === null ? null : { code: text(row.error_code), message: text(row.error_message) },
    createdAt: integer(row.created_at),
    finishedAt: nullable(integer)(row.finished_at),
    expiresAt: nullable(integer)(row.expires_at),
    keepMs: integer(row.keep_ms),
    formats: row.formats === null ? null : JSON.parse(text(row.formats)),
    webhook: toWebhook(row),
  };
}

const STATUSES = ['completed', 'failed', 'cancelled'] as const;

export function toStatus(value: unknown): JobStatus {
  return STATUSES.find((status) => status === value) ?? 'scraping';
}

/** A running job. */
export interface OpenJob extends JobRef {
  id: string;
  createdAt: number;
  /** JSON, as its capability wrote it. */
  summary: string;
}

/** The running jobs of a team that have a summary, newest first. */
export async function listOpenJobs(
  db: Database,
  { team, kind, skip, limit }: { team: number; kind: string; skip: number; limit: number },
): Promise<OpenJob[]> {
  const rows = await db.all(sql`
    select jobs.number, jobs.id, jobs.created_at, jobs.summary
    from jobs join job_progress on job_progress.team = jobs.team and job_progress.job = jobs.number
    where job_progress.team = ${team} and job_progress.expires_at is null and jobs.kind = ${kind}
    and jobs.summary is not null
    order by jobs.number desc limit ${limit} offset ${skip}`);
  return rows.map((row) => ({
    team,
    job: integer(row.number),
    id: text(row.id),
    createdAt: integer(row.created_at),
    summary: text(row.summary),
  }));
}

/** What a worker needs to know about a job. */
export interface JobWork {
  /** Its number. */
  job: number;
  team: number;
  id: string;
  teamId: string;
  keyId: string | null;
  kind: string;
  /** JSON; null if the job has ended. */
  options: string | null;
  taskCredits: number;
}

export async function findJobWork(db: Database, { team, job }: JobRef): Promise<JobWork | null> {
  const [row] = await db.all(sql`
    select id, team_id, key_id, kind, options, task_credits from jobs where team = ${team} and number = ${job}`);
  if (row === undefined) return null;
  return {
    team,
    job,
    id: text(row.id),
    teamId: text(row.team_id),
    keyId: nullable(text)(row.key_id),
    kind: text(row.kind),
    options: nullable(text)(row.options),
    taskCredits: integer(row.task_credits),
  };
}

/** Sizes of the results of a job, uncompressed, beginning with the result number `from`. Reads no documents. */
export async function listResultSizes(
  db: Database,
  { from, limit, ...ref }: JobRef & { from: number; limit: number },
): Promise<number[]> {
  const rows = await db.all(sql`
    select size from job_results where ${ofJob(ref)} and seq >= ${from} order by seq limit ${limit}`);
  return rows.map((row) => integer(row.size));
}

/** Documents of a job, beginning with the result number `from`. */
export async function listResults(
  db: Database,
  { from, limit, ...ref }: JobRef & { from: number; limit: number },
): Promise<StoredDocument[]> {
  const rows = await db.all(sql`
    select size, document, artifact, ${teamIdOf(ref)} as team_id from job_results
    where ${ofJob(ref)} and seq >= ${from} order by seq limit ${limit}`);
  return rows.map(toStoredDocument);
}

/** A main task without a result. */
export interface FailedTask {
  key: string;
  /** Null if robots.txt forbids it: then it was not tried. */
  tryId: string | null;
  payload: string;
  blocked: boolean;
  code: string | null;
  message: string | null;
  finishedAt: number;
}

/** Tasks of a job without a result, in the order in which they failed: after the task `after`, then `skip` more. */
export async function listFailedTasks(
  db: Database,
  { after, skip, limit, ...ref }: JobRef & { after: FailedTask | null; skip: number; limit: number },
): Promise<FailedTask[]> {
  const behind = after === null ? raw('') : sql`and (finished_at, task_key) > (${after.finishedAt}, ${after.key})`;
  const rows = await db.all(sql`
    select task_key, try_id, payload, state, error_code, error_message, finished_at from job_tasks
    where ${ofJob(ref)} and state >= ${raw('3')} and role <> ${ROLE.conclusion} ${behind}
    order by finished_at, task_key limit ${limit} offset ${skip}`);
  return rows.map((row) => ({
    key: text(row.task_key),
    tryId: nullable(text)(row.try_id),
    payload: text(row.payload),
    blocked: row.state === 4,
    code: nullable(text)(row.error_code),
    message: nullable(text)(row.error_message),
    finishedAt: integer(row.finished_at),
  }));
}

/** The number of waiting and running tasks of a team's jobs. */
export async function countTasks(db: Database, teamId: string): Promise<{ waiting: number; running: number }> {
  const [row] = await db.all(sql`select waiting, running from job_teams where team_id = ${teamId}`);
  return { waiting: integer(row?.waiting ?? 0), running: integer(row?.running ?? 0) };
}

/** The job's own result; null if there is none, or if it has expired. */
export async function findConclusion(db: Database, ref: JobRef): Promise<StoredDocument | null> {
  const [row] = await db.all(sql`
    select size, document, artifact, ${teamIdOf(ref)} as team_id from job_conclusions where ${ofJob(ref)}`);
  return row === undefined ? null : toStoredDocument(row);
}
