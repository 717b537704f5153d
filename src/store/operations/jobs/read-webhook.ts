import type { Compressed } from '../../compression.ts';
import type { Database } from '../../database.ts';
import { bytes, integer, nullable, type Row, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { type JobRef, ofJob } from './rows.ts';

/** How the deliveries of a job's webhook stand. */
export interface StoredWebhook extends Omit<WebhookState, 'target'> {
  /** Null when nothing is left to deliver. */
  url: string | null;
}

/** The same as it is stored. */
export interface WebhookState {
  target: string;
  total: number;
  delivered: number;
  failed: number;
  /** What the last try that failed has met. */
  lastError: string | null;
  /** When the next try is due; null when nothing is left to deliver. */
  nextAt: number | null;
}

/** To be selected with a job, and read by `toWebhook`. */
export const WEBHOOK_COLUMNS = raw(`
  webhooks.target as webhook_target, webhooks.total as webhook_total, webhooks.delivered as webhook_delivered,
  webhooks.failed as webhook_failed, webhooks.last_error as webhook_error, webhooks.run_at as webhook_run_at`);

/** Null for a job without one. */
export function toWebhook(row: Row): WebhookState | null {
  if (row.webhook_target === null) return null;
  return {
    target: text(row.webhook_target),
    total: integer(row.webhook_total),
    delivered: integer(row.webhook_delivered),
    failed: integer(row.webhook_failed),
    lastError: nullable(text)(row.webhook_error),
    nextAt: nullable(integer)(row.webhook_run_at),
  };
}

export interface StoredEvent {
  id: string;
  type: string;
  /** Of the task that it tells of. */
  payload: string | null;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** Of the last answer; null when none came. */
  status: number | null;
  /** What the last try has met, if it failed. */
  error: string | null;
  createdAt: number;
  endedAt: number | null;
}

const STATES = ['pending', 'delivered', 'failed'] as const;

/** Events of a job in their order. */
export async function listEvents(
  db: Database,
  { team, job, skip, limit }: JobRef & { skip: number; limit: number },
): Promise<StoredEvent[]> {
  const rows = await db.all(sql`
    select
      webhook_events.id, webhook_events.type, webhook_events.state, webhook_events.attempts, webhook_events.status,
      webhook_events.error, webhook_events.created_at, webhook_events.ended_at, job_tasks.payload
    from webhooks
    join webhook_events on webhook_events.team = webhooks.team and webhook_events.webhook = webhooks.number
    left join job_tasks
      on job_tasks.team = webhooks.team and job_tasks.job = webhooks.job and job_tasks.task_key = webhook_events.task_key
    where webhooks.team = ${team} and webhooks.job = ${job} and webhook_events.seq >= ${skip}
    order by webhook_events.seq limit ${limit}`);
  return rows.map((row) => ({
    id: text(row.id),
    type: text(row.type),
    payload: nullable(text)(row.payload),
    state: STATES[integer(row.state)] ?? 'pending',
    attempts: integer(row.attempts),
    status: nullable(integer)(row.status),
    error: nullable(text)(row.error),
    createdAt: integer(row.created_at),
    endedAt: nullable(integer)(row.ended_at),
  }));
}

/** One result of a job; null when its time is over. */
export async function findResult(db: Database, { seq, ...ref }: JobRef & { seq: number }): Promise<Compressed | null> {
  const [row] = await db.all(sql`select size, document from job_results where ${ofJob(ref)} and seq = ${seq}`);
  return row === undefined ? null : { bytes: bytes(row.document), size: integer(row.size) };
}

/** What the webhooks of a team are signed with; null when there has been no need of it. */
export async function findSecret(db: Database, teamId: string): Promise<string | null> {
  const [row] = await db.all(sql`select webhook_secret from teams where id = ${teamId}`);
  return nullable(text)(row?.webhook_secret ?? null);
}

/** Gives the team this secret, unless it has one that is to stay. Gives the one that it has then. */
export async function putSecret(
  db: Database,
  { teamId, secret, replaces }: { teamId: string; secret: string; replaces: boolean },
): Promise<string> {
  const old = raw(replaces ? 'null' : 'webhook_secret');
  const [row] = await db.all(sql`
    update teams set webhook_secret = coalesce(${old}, ${secret}) where id = ${teamId} returning webhook_secret`);
  return text(row?.webhook_secret);
}
