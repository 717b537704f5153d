import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import { type Activity, addActivity } from '../activity.ts';
import { type Balance, type DaySpan, readBalance } from '../reservations.ts';
import type { NewPage } from './add-pages.ts';
import { addWork } from './add-work.ts';
import { addJobKey } from './job-keys.ts';
import { lockTeam } from './ready.ts';
import { byIndexAlone } from './rows.ts';
import { addWebhook, type NewWebhook, type SealedWebhook } from './webhook-events.ts';

/** A job in the words of its capability. */
export interface NewJob {
  id: string;
  teamId: string;
  keyId: string | null;
  kind: JobKind;
  apiVersion: string;
  /** JSON. Kept until the job ends, and sealed. */
  options: string;
  /** Of its results: who reads them has to be allowed all of these. */
  formats: readonly string[];
  /** Zero data retention: pages are sealed with a key that is erased with the results. */
  hidesPages: boolean;
  /** JSON that lists of jobs show. Small, kept until the job ends, and sealed. */
  summary?: string;
  /** What one page costs. */
  pageCredits: number;
  /** Of the jobs of one team those with a lower number go first. */
  priority: number;
  /** How many results it may give, whatever is found; null is one for each page it starts with. */
  pageLimit: number | null;
  /** Pages at the same time; null is as many as the team may have. */
  maxConcurrency: number | null;
  /** Milliseconds between two pages of one host. */
  delay: number;
  /** How long results can be read after the end, in milliseconds. */
  keepMs: number;
  createdAt: number;
}

export type JobKind = 'batch' | 'crawl';

/** What a team may have at the most. Null is without a limit. */
export interface JobLimits {
  queuedPages: number | null;
  /** The credits of this period; null is without a limit, and then nothing is set aside. */
  credits: { span: DaySpan; limit: number } | null;
}

/** A request that may come twice: of those with the same key the first is done. */
export interface IdempotentRequest {
  key: string;
  /** Of what was asked for: the same key with something else is a mistake. */
  hash: string;
}

export type JobAnswer =
  | { type: 'accepted'; id: string }
  /** The request with this key asked for something else. */
  | { type: 'conflict' }
  | { type: 'queue full'; waiting: number }
  | { type: 'unpaid'; balance: Balance; credits: number }
  | { type: 'unknown' }
  | { type: 'ended' };

export interface JobStart {
  job: NewJob;
  pages: readonly NewPage[];
  limits: JobLimits;
  request: IdempotentRequest;
  /** Where the job tells of itself; null is nowhere. */
  webhook: NewWebhook | null;
  activity: Activity;
}

/** The same with everything sealed that has to be. */
export interface SealedStart extends Omit<JobStart, 'webhook'> {
  /** The key of the job, encrypted. */
  sealedKey: string;
  webhook: SealedWebhook | null;
}

export interface JobAppend {
  id: string;
  teamId: string;
  kind: JobKind;
  pages: readonly NewPage[];
  limits: JobLimits;
  request: IdempotentRequest;
  at: number;
}

/** What is set aside for a job is free again when nothing has become of it for so long. */
const RESERVED_MS = 24 * 3_600_000;

/** A newspaper of a hundred years has some thousand, one for each week or month. */
const MOST_SITEMAPS = 5_000;

/** Makes a job with its first pages, pays for them in advance, and opens it to workers: all of it or nothing. */
export async function startJob(db: Database, start: SealedStart): Promise<JobAnswer> {
  const { job, sealedKey, pages, limits, request, webhook, activity } = start;
  const [, team] = await Promise.all([byIndexAlone(db), lockTeam(db, job.teamId)]);
  const known = await findRequest(db, job.teamId, request);
  if (known !== null) return known;
  const credits = (job.pageLimit ?? pages.length) * job.pageCredits;
  const refusal = await refuse(db, {
    teamId: job.teamId,
    waiting: team.waiting,
    credits,
    pages,
    limits,
    at: job.createdAt,
  });
  if (refusal !== null) return refusal;

  const [row] = await db.all(sql`
    insert into jobs (
      id, team_id, key_id, kind, api_version, options, summary, page_credits, sets_aside, keep_ms, created_at, queued_pages,
      hides_pages, formats
    ) values (
      ${job.id}, ${job.teamId}, ${job.keyId}, ${job.kind}, ${job.apiVersion}, ${job.options}, ${job.summary ?? null},
      ${job.pageCredits}, ${Number(limits.credits !== null)}, ${job.keepMs}, ${job.createdAt}, ${limits.queuedPages},
      ${Number(job.hidesPages)}, ${JSON.stringify(job.formats)}
    )
    returning number`);
  const number = integer(row?.number);
  await addJobKey(db, number, sealedKey);
  await db.run(sql`
    insert into job_progress (
      job, team_id, status, priority, max_concurrency, delay, page_room, spare_room, sitemap_room,
      total, waiting, running, completed, credits, served_at
    ) values (
      ${number}, ${job.teamId}, 'scraping', ${job.priority}, ${job.maxConcurrency}, ${job.delay},
      ${job.pageLimit}, ${job.pageLimit ?? 0}, ${MOST_SITEMAPS}, 0, 0, 0, 0, 0, 0
    )`);
  await addActivity(db, activity);
  if (webhook !== null) await addWebhook(db, { job: number, teamId: job.teamId, webhook, at: job.createdAt });
  await addWork(db, { job: number, teamId: job.teamId, pages, inQueue: null, at: job.createdAt });
  if (limits.credits !== null) await setAside(db, { teamId: job.teamId, id: job.id, credits, at: job.createdAt });
  await keepRequest(db, job.teamId, request, number);
  return { type: 'accepted', id: job.id };
}

/** Adds pages to a job that has not ended. */
export async function appendToJob(db: Database, append: JobAppend): Promise<JobAnswer> {
  const { id, teamId, kind, pages, limits, request, at } = append;
  const [, team] = await Promise.all([byIndexAlone(db), lockTeam(db, teamId)]);
  const known = await findRequest(db, teamId, request);
  if (known !== null) return known;
  const [row] = await db.all(sql`
    select jobs.number, jobs.page_credits, jobs.sets_aside, job_progress.status
    from jobs join job_progress on job_progress.job = jobs.number
    where jobs.id = ${id} and jobs.team_id = ${teamId} and jobs.kind = ${kind}`);
  if (row === undefined) return { type: 'unknown' };
  if (row.status !== 'scraping') return { type: 'ended' };
  const credits = pages.length * integer(row.page_credits);
  const refusal = await refuse(db, { teamId, waiting: team.waiting, credits, pages, limits, at });
  if (refusal !== null) return refusal;

  const number = integer(row.number);
  await addWork(db, { job: number, teamId, pages, inQueue: null, at });
  if (integer(row.sets_aside) === 1) await setAside(db, { teamId, id, credits, at });
  await keepRequest(db, teamId, request, number);
  return { type: 'accepted', id };
}

async function refuse(
  db: Database,
  work: { teamId: string; waiting: number; credits: number; pages: readonly NewPage[]; limits: JobLimits; at: number },
): Promise<JobAnswer | null> {
  const { teamId, waiting, credits, pages, limits, at } = work;
  if (limits.queuedPages !== null && waiting + pages.length > limits.queuedPages)
    return { type: 'queue full', waiting };
  if (limits.credits === null) return null;
  // The lock that `reserve` takes: nobody else sets anything aside meanwhile.
  if (db.dialect === 'postgres') await db.all(sql`select 1 from teams where id = ${teamId} for no key update`);
  const { span, limit } = limits.credits;
  const balance = await readBalance(db, { teamId, span, at });
  return balance.used + balance.reserved + credits > limit ? { type: 'unpaid', balance, credits } : null;
}

async function setAside(
  db: Database,
  { teamId, id, credits, at }: { teamId: string; id: string; credits: number; at: number },
): Promise<void> {
  await db.run(sql`
    insert into reservations (team_id, id, credits, created_at, expires_at)
    values (${teamId}, ${id}, ${credits}, ${at}, ${at + RESERVED_MS})
    on conflict (team_id, id) do update set
      credits = reservations.credits + excluded.credits, expires_at = excluded.expires_at`);
}

/** Makes what is set aside for a job smaller as its pages end, and keeps the rest for longer. */
export async function useUp(
  db: Database,
  { teamId, id, credits, at }: { teamId: string; id: string; credits: number; at: number },
): Promise<void> {
  await db.run(sql`
    update reservations set
      credits = case when credits > ${credits} then credits - ${credits} else 0 end, expires_at = ${at + RESERVED_MS}
    where team_id = ${teamId} and id = ${id}`);
}

async function findRequest(db: Database, teamId: string, request: IdempotentRequest): Promise<JobAnswer | null> {
  const [row] = await db.all(sql`
    select job_requests.request_hash, jobs.id from job_requests join jobs on jobs.number = job_requests.job
    where job_requests.team_id = ${teamId} and job_requests.idempotency_key = ${request.key}`);
  if (row === undefined) return null;
  return row.request_hash === request.hash ? { type: 'accepted', id: text(row.id) } : { type: 'conflict' };
}

async function keepRequest(db: Database, teamId: string, request: IdempotentRequest, job: number): Promise<void> {
  await db.run(sql`
    insert into job_requests (team_id, idempotency_key, request_hash, job)
    values (${teamId}, ${request.key}, ${request.hash}, ${job})`);
}
