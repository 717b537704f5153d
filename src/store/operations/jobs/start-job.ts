import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import { type Activity, addActivity } from '../activity.ts';
import { type Balance, type DaySpan, readBalance } from '../reservations.ts';
import type { NewTask } from './add-tasks.ts';
import { addWork } from './add-work.ts';
import { addJobKey } from './job-keys.ts';
import { lockTeam } from './ready.ts';
import { byIndexAlone, type JobRef } from './rows.ts';
import { addJobWebhook, type NewWebhook, type SealedWebhook } from './webhook-events.ts';

/** A job in the terms of its capability. */
export interface NewJob {
  id: string;
  teamId: string;
  keyId: string | null;
  kind: string;
  apiVersion: string;
  /** JSON. Sealed, and kept until the job ends. */
  options: string;
  /** The formats of its results. Reading them requires permission for all of these. */
  formats: readonly string[];
  /** Zero data retention: tasks are sealed with a key that is erased with the results. */
  hidesTasks: boolean;
  /** JSON that lists of jobs show. Small, sealed, and kept until the job ends. */
  summary?: string;
  /** The maximum cost of one main task. */
  taskCredits: number;
  /** Among the jobs of one team, lower numbers go first. */
  priority: number;
  /** The maximum number of results, whatever is found; null: one for each initial task. */
  taskLimit: number | null;
  /** Concurrent tasks; null: as many as the team may run. */
  maxConcurrency: number | null;
  /** Milliseconds between two tasks of one host. */
  delay: number;
  /** How long results can be read after the end, in milliseconds. */
  keepMs: number;
  createdAt: number;
  /** The maximum cost of the conclusion; null for a kind without one: its jobs end with their last task. */
  conclusion: { credits: number } | null;
}

/** The limits of a team. Null is without a limit. */
export interface JobLimits {
  queuedTasks: number | null;
  /** The credits of this period. Without a limit nothing is reserved. */
  credits: { span: DaySpan; limit: number } | null;
}

/** A request that may be repeated: only the first one with a key is carried out. */
export interface IdempotentRequest {
  key: string;
  /** A hash of the request: reusing a key for a different request is an error. */
  hash: string;
}

export type JobAnswer =
  | { type: 'accepted'; id: string }
  /** The request with this key was a different one. */
  | { type: 'conflict' }
  | { type: 'queue full'; waiting: number }
  | { type: 'unpaid'; balance: Balance; credits: number }
  | { type: 'unknown' }
  | { type: 'ended' };

export interface JobStart {
  job: NewJob;
  tasks: readonly NewTask[];
  limits: JobLimits;
  request: IdempotentRequest;
  /** The webhook that the job reports to; null for none. */
  webhook: NewWebhook | null;
  activity: Activity;
}

/** The same, with all confidential values sealed. */
export interface SealedStart extends Omit<JobStart, 'webhook'> {
  /** The key of the job, encrypted. */
  sealedKey: string;
  webhook: SealedWebhook | null;
}

export interface JobAppend {
  id: string;
  teamId: string;
  kind: string;
  tasks: readonly NewTask[];
  limits: JobLimits;
  request: IdempotentRequest;
  at: number;
}

/** How long a job's reservation lasts without any progress. */
const RESERVED_MS = 24 * 3_600_000;

/**
 * The most helpers of one job. A newspaper of a hundred years has a few thousand sitemaps, one for each week or month.
 */
const MAX_HELPERS = 5_000;

/** Creates a job with its first tasks, reserves its credits, and opens it to workers: all or nothing. */
export async function startJob(db: Database, start: SealedStart): Promise<JobAnswer> {
  const { job, sealedKey, tasks, limits, request, webhook, activity } = start;
  const [, { team, waiting }] = await Promise.all([byIndexAlone(db), lockTeam(db, job.teamId)]);
  const known = await findRequest(db, team, request);
  if (known !== null) return known;
  const credits = (job.taskLimit ?? tasks.length) * job.taskCredits + (job.conclusion?.credits ?? 0);
  const refusal = await refuse(db, {
    teamId: job.teamId,
    waiting,
    credits,
    tasks,
    limits,
    at: job.createdAt,
  });
  if (refusal !== null) return refusal;

  const [row] = await db.all(sql`
    insert into jobs (
      team, id, team_id, key_id, kind, api_version, options, summary, task_credits, sets_aside, keep_ms, created_at,
      queued_tasks, hides_tasks, formats, concludes
    ) values (
      ${team}, ${job.id}, ${job.teamId}, ${job.keyId}, ${job.kind}, ${job.apiVersion}, ${job.options},
      ${job.summary ?? null}, ${job.taskCredits}, ${Number(limits.credits !== null)}, ${job.keepMs}, ${job.createdAt},
      ${limits.queuedTasks}, ${Number(job.hidesTasks)}, ${JSON.stringify(job.formats)}, ${Number(job.conclusion !== null)}
    )
    returning number`);
  const ref = { team, job: integer(row?.number) };
  await addJobKey(db, ref, sealedKey);
  await db.run(sql`
    insert into job_progress (
      team, job, status, priority, max_concurrency, delay, task_room, spare_room, helper_room,
      total, waiting, running, completed, failed, credits, stored_size, served_at
    ) values (
      ${team}, ${ref.job}, 'scraping', ${job.priority}, ${job.maxConcurrency}, ${job.delay},
      ${job.taskLimit}, ${job.taskLimit ?? 0}, ${MAX_HELPERS}, 0, 0, 0, 0, 0, 0, 0, 0
    )`);
  await addActivity(db, activity);
  if (webhook !== null) await addJobWebhook(db, ref, { teamId: job.teamId, id: job.id, webhook, at: job.createdAt });
  await addWork(db, { ...ref, tasks, inQueue: null, at: job.createdAt });
  if (limits.credits !== null)
    await increaseReservation(db, { teamId: job.teamId, id: job.id, credits, at: job.createdAt });
  await keepRequest(db, ref, request);
  return { type: 'accepted', id: job.id };
}

/** Adds tasks to a job that has not ended. */
export async function appendToJob(db: Database, append: JobAppend): Promise<JobAnswer> {
  const { id, teamId, kind, tasks, limits, request, at } = append;
  const [, { team, waiting }] = await Promise.all([byIndexAlone(db), lockTeam(db, teamId)]);
  const known = await findRequest(db, team, request);
  if (known !== null) return known;
  const [row] = await db.all(sql`
    select jobs.number, jobs.task_credits, jobs.sets_aside, job_progress.status
    from jobs join job_progress on job_progress.team = jobs.team and job_progress.job = jobs.number
    where jobs.team = ${team} and jobs.id = ${id} and jobs.kind = ${kind}`);
  if (row === undefined) return { type: 'unknown' };
  if (row.status !== 'scraping') return { type: 'ended' };
  const credits = tasks.length * integer(row.task_credits);
  const refusal = await refuse(db, { teamId, waiting, credits, tasks, limits, at });
  if (refusal !== null) return refusal;

  const ref = { team, job: integer(row.number) };
  await addWork(db, { ...ref, tasks, inQueue: null, at });
  if (integer(row.sets_aside) === 1) await increaseReservation(db, { teamId, id, credits, at });
  await keepRequest(db, ref, request);
  return { type: 'accepted', id };
}

async function refuse(
  db: Database,
  work: { teamId: string; waiting: number; credits: number; tasks: readonly NewTask[]; limits: JobLimits; at: number },
): Promise<JobAnswer | null> {
  const { teamId, waiting, credits, tasks, limits, at } = work;
  if (limits.queuedTasks !== null && waiting + tasks.length > limits.queuedTasks)
    return { type: 'queue full', waiting };
  if (limits.credits === null) return null;
  // The lock that `reserve` takes: no other reservation can be made meanwhile.
  if (db.dialect === 'postgres') await db.all(sql`select 1 from teams where id = ${teamId} for no key update`);
  const { span, limit } = limits.credits;
  const balance = await readBalance(db, { teamId, span, at });
  return balance.used + balance.reserved + credits > limit ? { type: 'unpaid', balance, credits } : null;
}

async function increaseReservation(
  db: Database,
  { teamId, id, credits, at }: { teamId: string; id: string; credits: number; at: number },
): Promise<void> {
  await db.run(sql`
    insert into reservations (team_id, id, credits, created_at, expires_at)
    values (${teamId}, ${id}, ${credits}, ${at}, ${at + RESERVED_MS})
    on conflict (team_id, id) do update set
      credits = reservations.credits + excluded.credits, expires_at = excluded.expires_at`);
}

/** Reduces the reservation of a job as its tasks end, and extends the rest. */
export async function reduceReservation(
  db: Database,
  { teamId, id, credits, at }: { teamId: string; id: string; credits: number; at: number },
): Promise<void> {
  await db.run(sql`
    update reservations set
      credits = case when credits > ${credits} then credits - ${credits} else 0 end, expires_at = ${at + RESERVED_MS}
    where team_id = ${teamId} and id = ${id}`);
}

async function findRequest(db: Database, team: number, request: IdempotentRequest): Promise<JobAnswer | null> {
  const [row] = await db.all(sql`
    select job_requests.request_hash, jobs.id
    from job_requests join jobs on jobs.team = job_requests.team and jobs.number = job_requests.job
    where job_requests.team = ${team} and job_requests.idempotency_key = ${request.key}`);
  if (row === undefined) return null;
  return row.request_hash === request.hash ? { type: 'accepted', id: text(row.id) } : { type: 'conflict' };
}

async function keepRequest(db: Database, { team, job }: JobRef, request: IdempotentRequest): Promise<void> {
  await db.run(sql`
    insert into job_requests (team, idempotency_key, request_hash, job)
    values (${team}, ${request.key}, ${request.hash}, ${job})`);
}
