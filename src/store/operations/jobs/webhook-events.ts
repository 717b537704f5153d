import { newId } from '../../../clock.ts';
import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { type Sql, sql } from '../../sql.ts';
import { type JobRef, listed, ofJob } from './rows.ts';

/** A webhook as it was requested. */
export interface NewWebhook {
  url: string;
  /** JSON, like `metadata`. */
  headers: string;
  metadata: string;
  /** The types of events that it subscribes to. */
  events: readonly string[];
}

/** The same, as stored. */
export interface SealedWebhook {
  /** Address, headers and metadata, sealed. */
  target: string;
  events: readonly string[];
}

/** An event that the kind of the job defines, besides the usual ones. */
export interface KindEvent {
  type: string;
  /** JSON. */
  data: string;
}

interface NewEvent {
  type: string;
  /** The key of the task that it is about. */
  taskKey?: string;
  /** The number of the task's result. */
  result?: number;
  data?: string;
}

/** Adds the webhook of a job, with the event that the job has started. */
export async function addJobWebhook(
  db: Database,
  ref: JobRef,
  { teamId, id, webhook, at }: { teamId: string; id: string; webhook: SealedWebhook; at: number },
): Promise<void> {
  const { target, events } = webhook;
  await db.run(sql`
    insert into webhooks (
      team, team_id, subject, subject_id, job, target, events, total, delivered, failed, closed, claims
    ) values (${ref.team}, ${teamId}, 'job', ${id}, ${ref.job}, ${target}, ${events.join()}, 0, 0, 0, 0, 0)`);
  await addEvents(db, ref, at, [{ type: 'started' }]);
}

/**
 * Adds the events of ended tasks, if the job has a webhook.
 *
 * @param tasks `firstResult`: the number of the first result, which the others follow; `others`: events that the kind
 *   defines
 */
export async function addTaskEvents(
  db: Database,
  ref: JobRef,
  tasks: {
    at: number;
    delivered: readonly string[];
    firstResult: number;
    failed: readonly string[];
    others: readonly KindEvent[];
  },
): Promise<void> {
  const { at, delivered, firstResult, failed, others } = tasks;
  await addEvents(db, ref, at, [
    ...delivered.map((taskKey, index) => ({ type: 'page', taskKey, result: firstResult + index })),
    ...failed.map((taskKey) => ({ type: 'page', taskKey })),
    ...others,
  ]);
}

/** Adds the last event of a job and closes its webhook, if it has one. */
export async function addEndEvent(
  db: Database,
  ref: JobRef,
  { at, type }: { at: number; type: 'completed' | 'failed' },
): Promise<void> {
  await addEvents(db, ref, at, [{ type }]);
  await db.run(sql`update webhooks set closed = 1, target = ${targetAfter(0)} where ${ofJob(ref)}`);
}

/**
 * The target of a webhook once `more` of its events have ended. It can hold passwords, so it is erased when nothing is
 * left to deliver. For the `set` clause of an update that closes the webhook or ends an event of a closed one.
 */
export function targetAfter(more: number): Sql {
  return sql`case when delivered + failed + ${more} = total then '' else target end`;
}

/** Adds those events that the job's webhook subscribes to. */
async function addEvents(db: Database, ref: JobRef, at: number, events: readonly NewEvent[]): Promise<void> {
  const [row] = await db.all(sql`select number, events from webhooks where ${ofJob(ref)}`);
  if (row === undefined) return;
  const asked = text(row.events).split(',');
  const wanted = events.filter(({ type }) => asked.includes(type));
  if (wanted.length > 0) await storeEvents(db, { team: ref.team, webhook: integer(row.number), at, events: wanted });
}

async function storeEvents(
  db: Database,
  { team, webhook, at, events }: { team: number; webhook: number; at: number; events: readonly NewEvent[] },
): Promise<void> {
  const [counted] = await db.all(sql`
    update webhooks set total = total + ${events.length}, run_at = coalesce(run_at, ${at})
    where team = ${team} and number = ${webhook} returning total`);
  const first = integer(counted?.total) - events.length;
  const rows = events.map(({ type, taskKey, result, data }, index) => [
    first + index,
    newId(),
    type,
    taskKey ?? null,
    result ?? null,
    data ?? null,
  ]);
  await db.run(sql`
    insert into webhook_events (team, webhook, seq, id, type, task_key, result, data, state, attempts, created_at)
    select
      ${team}, ${webhook}, cast(value->>0 as bigint), value->>1, value->>2, value->>3, cast(value->>4 as bigint),
      value->>5, 0, 0, ${at}
    from ${listed(db, rows)}`);
}
