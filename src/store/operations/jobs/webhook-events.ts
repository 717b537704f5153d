import { newId } from '../../../clock.ts';
import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import { listed } from './rows.ts';

/** What a webhook can be told of. Failed is a job that did not come to its end. */
export const EVENT_TYPES = ['started', 'page', 'completed', 'failed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Where a job tells of itself. */
export interface NewWebhook {
  url: string;
  /** JSON, as the next one. */
  headers: string;
  metadata: string;
  events: readonly EventType[];
}

/** The same as it is stored. */
export interface SealedWebhook {
  /** Address, headers and metadata, sealed. */
  target: string;
  events: readonly EventType[];
}

interface NewEvent {
  type: EventType;
  /** Of the page that it tells of. */
  pageKey?: string;
  /** The number of its result. */
  result?: number;
}

/** Gives a job its webhook, which is told that the job has started. */
export async function addWebhook(
  db: Database,
  { job, teamId, webhook, at }: { job: number; teamId: string; webhook: SealedWebhook; at: number },
): Promise<void> {
  const { target, events } = webhook;
  await db.run(sql`
    insert into webhooks (job, team_id, target, events, total, delivered, failed, closed, claims)
    values (${job}, ${teamId}, ${target}, ${events.join()}, 0, 0, 0, 0, 0)`);
  await addEvents(db, job, at, [{ type: 'started' }]);
}

/**
 * Tells the webhook of a job, if it has one, of pages that came to their end.
 *
 * @param firstResult the number of the first one's result; those of the others follow it
 */
export async function tellOfPages(
  db: Database,
  pages: { job: number; at: number; delivered: readonly string[]; firstResult: number; failed: readonly string[] },
): Promise<void> {
  const { job, at, delivered, firstResult, failed } = pages;
  await addEvents(db, job, at, [
    ...delivered.map((pageKey, index) => ({ type: 'page' as const, pageKey, result: firstResult + index })),
    ...failed.map((pageKey) => ({ type: 'page' as const, pageKey })),
  ]);
}

/** Tells the webhook of a job, if it has one, that this was all. */
export async function tellOfEnd(
  db: Database,
  { job, at, type }: { job: number; at: number; type: 'completed' | 'failed' },
): Promise<void> {
  await addEvents(db, job, at, [{ type }]);
  await db.run(sql`
    update webhooks set closed = 1, target = ${targetAfter(0)} where job = ${job}`);
}

/**
 * The target of a webhook once `more` of its events have ended: it can hold passwords, and is forgotten when nothing is
 * left to be delivered. For the `set` of an update that closes the webhook or ends an event of a closed one.
 */
export function targetAfter(more: number) {
  return sql`case when delivered + failed + ${more} = total then '' else target end`;
}

/** Adds those events that the job's webhook asks for. */
async function addEvents(db: Database, job: number, at: number, events: readonly NewEvent[]): Promise<void> {
  const [row] = await db.all(sql`select events from webhooks where job = ${job}`);
  if (row === undefined) return;
  const asked = text(row.events).split(',');
  const wanted = events.filter(({ type }) => asked.includes(type));
  if (wanted.length === 0) return;
  const [webhook] = await db.all(sql`
    update webhooks set total = total + ${wanted.length}, run_at = coalesce(run_at, ${at})
    where job = ${job} returning total`);
  const first = integer(webhook?.total) - wanted.length;
  const rows = wanted.map(({ type, pageKey, result }, index) => [
    first + index,
    newId(),
    type,
    pageKey ?? null,
    result ?? null,
  ]);
  await db.run(sql`
    insert into webhook_events (job, seq, id, type, page_key, result, state, attempts, created_at)
    select
      ${job}, cast(value->>0 as bigint), value->>1, value->>2, value->>3, cast(value->>4 as bigint), 0, 0, ${at}
    from ${listed(db, rows)}`);
}
