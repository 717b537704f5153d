import type { Compressed } from '../../compression.ts';
import type { Database } from '../../database.ts';
import { bytes, integer, nullable, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { type StoredWebhook, toWebhook, WEBHOOK_COLUMNS, type WebhookState } from './read-webhook.ts';
import type { JobKind } from './start-job.ts';

export type JobStatus = 'scraping' | 'completed' | 'cancelled';

/** How far a job is. */
export interface StoredJob extends Omit<JobState, 'webhook'> {
  webhook: StoredWebhook | null;
}

/** The same as it is stored. */
export interface JobState {
  number: number;
  id: string;
  apiVersion: string;
  status: JobStatus;
  total: number;
  /** Pages under way. */
  running: number;
  /** Pages whose result can be read. */
  completed: number;
  /** Pages that came to their end without a result: they failed, or robots.txt keeps them out. */
  failed: number;
  credits: number;
  createdAt: number;
  finishedAt: number | null;
  /** Null while it goes on. */
  expiresAt: number | null;
  /** How long after its end results can be read. */
  keepMs: number;
  /** What its results have; null when it was not recorded, before it mattered. */
  formats: readonly string[] | null;
  webhook: WebhookState | null;
}

/** A job of the team that is not over its time at `at`. */
export async function findJob(
  db: Database,
  { teamId, kind, id, at }: { teamId: string; kind: JobKind; id: string; at: number },
): Promise<JobState | null> {
  const [row] = await db.all(sql`
    select
      jobs.number, jobs.id, jobs.api_version, jobs.keep_ms, jobs.created_at, jobs.formats, job_progress.status,
      job_progress.total, job_progress.running, job_progress.completed, job_progress.failed, job_progress.credits,
      job_progress.finished_at, job_progress.expires_at, ${WEBHOOK_COLUMNS}
    from jobs join job_progress on job_progress.job = jobs.number left join webhooks on webhooks.job = jobs.number
    where jobs.id = ${id} and jobs.team_id = ${teamId} and jobs.kind = ${kind}
    and (job_progress.expires_at is null or job_progress.expires_at > ${at})`);
  if (row === undefined) return null;
  return {
    number: integer(row.number),
    id: text(row.id),
    apiVersion: text(row.api_version),
    status: toStatus(row.status),
    total: integer(row.total),
    running: integer(row.running),
    completed: integer(row.completed),
    failed: integer(row.failed),
    credits: integer(row.credits),
    createdAt: integer(row.created_at),
    finishedAt: nullable(integer)(row.finished_at),
    expiresAt: nullable(integer)(row.expires_at),
    keepMs: integer(row.keep_ms),
    formats: row.formats === null ? null : JSON.parse(text(row.formats)),
    webhook: toWebhook(row),
  };
}

function toStatus(value: unknown): JobStatus {
  return value === 'completed' || value === 'cancelled' ? value : 'scraping';
}

/** A job that goes on. */
export interface OpenJob {
  number: number;
  id: string;
  createdAt: number;
  /** JSON, as its capability wrote it. */
  summary: string;
}

/** The jobs of a team that go on and have a summary, the newest first. */
export async function listOpenJobs(
  db: Database,
  { teamId, kind, skip, limit }: { teamId: string; kind: JobKind; skip: number; limit: number },
): Promise<OpenJob[]> {
  const rows = await db.all(sql`
    select jobs.number, jobs.id, jobs.created_at, jobs.summary
    from jobs join job_progress on job_progress.job = jobs.number
    where job_progress.team_id = ${teamId} and job_progress.expires_at is null and jobs.kind = ${kind}
    and jobs.summary is not null
    order by jobs.number desc limit ${limit} offset ${skip}`);
  return rows.map((row) => ({
    number: integer(row.number),
    id: text(row.id),
    createdAt: integer(row.created_at),
    summary: text(row.summary),
  }));
}

/** What has to be known of a job to work on its pages. */
export interface JobWork {
  id: string;
  teamId: string;
  keyId: string | null;
  kind: string;
  /** JSON; null when the job has ended. */
  options: string | null;
  pageCredits: number;
}

export async function findJobWork(db: Database, job: number): Promise<JobWork | null> {
  const [row] = await db.all(sql`
    select id, team_id, key_id, kind, options, page_credits from jobs where number = ${job}`);
  if (row === undefined) return null;
  return {
    id: text(row.id),
    teamId: text(row.team_id),
    keyId: nullable(text)(row.key_id),
    kind: text(row.kind),
    options: nullable(text)(row.options),
    pageCredits: integer(row.page_credits),
  };
}

/** Sizes of the results of a job, expanded, from the one with the number `from`. Reads no document. */
export async function listResultSizes(
  db: Database,
  { job, from, limit }: { job: number; from: number; limit: number },
): Promise<number[]> {
  const rows = await db.all(sql`
    select size from job_results where job = ${job} and seq >= ${from} order by seq limit ${limit}`);
  return rows.map((row) => integer(row.size));
}

/** Documents of a job, from the one with the number `from`. */
export async function listResults(
  db: Database,
  { job, from, limit }: { job: number; from: number; limit: number },
): Promise<Compressed[]> {
  const rows = await db.all(sql`
    select size, document from job_results where job = ${job} and seq >= ${from} order by seq limit ${limit}`);
  return rows.map((row) => ({ bytes: bytes(row.document), size: integer(row.size) }));
}

/** A page that gave no result. */
export interface FailedPage {
  key: string;
  /** Null for one that robots.txt keeps out: it was not tried. */
  scrapeId: string | null;
  url: string;
  blocked: boolean;
  code: string | null;
  message: string | null;
  finishedAt: number;
}

/** Pages of a job that gave no result, in the order in which that came out: behind `after`, then `skip` more. */
export async function listFailedPages(
  db: Database,
  { job, after, skip, limit }: { job: number; after: FailedPage | null; skip: number; limit: number },
): Promise<FailedPage[]> {
  const behind = after === null ? raw('') : sql`and (finished_at, page_key) > (${after.finishedAt}, ${after.key})`;
  const rows = await db.all(sql`
    select page_key, scrape_id, url, state, error_code, error_message, finished_at from job_pages
    where job = ${job} and state >= ${raw('3')} ${behind}
    order by finished_at, page_key limit ${limit} offset ${skip}`);
  return rows.map((row) => ({
    key: text(row.page_key),
    scrapeId: nullable(text)(row.scrape_id),
    url: text(row.url),
    blocked: row.state === 4,
    code: nullable(text)(row.error_code),
    message: nullable(text)(row.error_message),
    finishedAt: integer(row.finished_at),
  }));
}

/** Pages of a team's jobs that wait and that are under way. */
export async function countPages(db: Database, teamId: string): Promise<{ waiting: number; running: number }> {
  const [row] = await db.all(sql`select waiting, running from job_teams where team_id = ${teamId}`);
  return { waiting: integer(row?.waiting ?? 0), running: integer(row?.running ?? 0) };
}
