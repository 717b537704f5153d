import type { Database } from '../../database.ts';
import { integer, nullable, type Row, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { type StoredDocument, toStoredDocument } from '../stored-document.ts';
import { type JobRef, ofJob, teamIdOf } from './rows.ts';

/** The state of deliveries to a job's webhook. */
export interface StoredWebhook extends Omit<WebhookState, 'target'> {
  /** Null when nothing is left to deliver. */
  url: string | null;
}

/** The same, as stored. */
export interface WebhookState {
  target: string;
  total: number;
  delivered: number;
  failed: number;
  /** The error of the last failed attempt. */
  lastError: string | null;
  /** When the next attempt is due; null when nothing is left to deliver. */
  nextAt: number | null;
}

/** Selected together with a job, and read by `toWebhook`. */
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
  /** The address of the task that the event is about. */
  payload: string | null;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** The status of the last response; null if there was none. */
  status: number | null;
  /** The error of the last attempt, if it failed. */
  error: string | null;
  createdAt: number;
  endedAt: number | null;
}

const STATES = ['pending', 'delivered', 'failed'] as const;

/** The events of a job, in order. */
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

/** One result of a job; null when it has expired. */
export async function findResult(
  db: Database,
  { seq, ...ref }: JobRef & { seq: number },
): Promise<StoredDocument | null> {
  const [row] = await db.all(sql`
    select size, document, artifact, ${teamIdOf(ref)} as team_id from job_results
    where ${ofJob(ref)} and seq = ${seq}`);
  return row === undefined ? null : toStoredDocument(row);
}

/** The secret that signs a team's webhooks; null until it is first needed. */
export async function findSecret(db: Database, teamId: string): Promise<string | null> {
  const [row] = await db.all(sql`select webhook_secret from teams where id = ${teamId}`);
  return nullable(text)(row?.webhook_secret ?? null);
}

/** Stores this secret for the team, unless it has one that is to stay. Returns the secret in force. */
export async function putSecret(
  db: Database,
  { teamId, secret, replaces }: { teamId: string; secret: string; replaces: boolean },
): Promise<string> {
  const old = raw(replaces ? 'null' : 'webhook_secret');
  const [row] = await db.all(sql`
    update teams set webhook_secret = coalesce(${old}, ${secret}) where id = ${teamId} returning webhook_secret`);
  return text(row?.webhook_secret);
}
