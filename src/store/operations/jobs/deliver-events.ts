import type { Database } from '../../database.ts';
import { integer, nullable, type Row, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { byIndexAlone, listed } from './rows.ts';
import { targetAfter } from './webhook-events.ts';

/** An event that is leased to one process. */
export interface ClaimedEvent extends WebhookTarget, Omit<SealedEvent, 'target'> {}

/** The receiver of events, and the caller's values that are sent along. */
export interface WebhookTarget {
  url: string;
  /** JSON, like `metadata`. */
  headers: string;
  metadata: string;
}

/** Identifies a webhook in every table. */
export interface WebhookRef {
  team: number;
  webhook: number;
}

/** The same, as stored. */
export interface SealedEvent extends WebhookRef {
  /** The job that it is about; null if its subject is something else. */
  job: number | null;
  /** The number of the claim: only the latest one counts. */
  claim: number;
  seq: number;
  id: string;
  type: string;
  /** The number of attempts so far. */
  attempts: number;
  teamId: string;
  /** The id of its subject: of the job, if it is about one. */
  subjectId: string;
  /** The kind of the job; else what the subject is. */
  kind: string;
  /** Why the job failed as a whole; null unless it did. */
  jobError: string | null;
  target: string;
  secret: string;
  /** Set for the events of tasks. */
  task: EventTask | null;
  /** Set for events that the kind defines: JSON. */
  data: string | null;
}

export interface EventTask {
  payload: string;
  /** Null when it failed. */
  result: { seq: number; size: number } | null;
  /** Why it failed; null if robots.txt forbids it. */
  error: string | null;
}

export interface EventClaim {
  at: number;
  limit: number;
  leaseUntil: number;
  /** How many events of one team may be in delivery here, and how many are. */
  perTeam: number;
  underWay: readonly (readonly [teamId: string, count: number])[];
}

/** Webhooks read per requested event. Those of teams at their limit are skipped. */
const CANDIDATES = 4;

/** When the next delivery of any event is due; null if there is none. */
export async function nextEventAt(db: Database): Promise<number | null> {
  const [row] = await db.all(sql`
    select run_at from webhooks where run_at is not null order by run_at limit 1`);
  return nullable(integer)(row?.run_at ?? null);
}

/**
 * Leases due events, the most overdue first. Each webhook gives only its first unfinished event, so that the events of
 * a job never overtake each other.
 */
export async function claimEvents(
  db: Database,
  { at, limit, leaseUntil, perTeam, underWay }: EventClaim,
): Promise<SealedEvent[]> {
  await byIndexAlone(db);
  const lock = raw(db.dialect === 'postgres' ? 'for update skip locked' : '');
  const full = listed(
    db,
    underWay.filter(([, count]) => count >= perTeam),
  );
  const due = await db.all(sql`
    select number, team, team_id from webhooks
    where run_at <= ${at} and team_id not in (select value->>0 from ${full})
    order by run_at, number limit ${limit * CANDIDATES} ${lock}`);
  const counts = new Map(underWay);
  const chosen = due.filter((row) => {
    const count = (counts.get(text(row.team_id)) ?? 0) + 1;
    counts.set(text(row.team_id), count);
    return count <= perTeam;
  });
  const webhooks = chosen.slice(0, limit).map((row) => ({ team: integer(row.team), webhook: integer(row.number) }));
  const events = await Promise.all(webhooks.map((webhook) => claimEvent(db, webhook, leaseUntil)));
  return events.filter((event) => event !== null);
}

/**
 * Reads one event at a time instead of joining the list: see `byIndexAlone`. Null for a webhook without an event: it is
 * left alone until the lease expires, and does not delay other webhooks.
 */
async function claimEvent(
  db: Database,
  { team, webhook }: WebhookRef,
  leaseUntil: number,
): Promise<SealedEvent | null> {
  const [, [row]] = await Promise.all([
    db.run(sql`
      update webhooks set run_at = ${leaseUntil}, claims = claims + 1 where team = ${team} and number = ${webhook}`),
    db.all(sql`
      select
        webhooks.job, webhooks.claims, webhooks.team_id, webhooks.target, webhooks.subject_id, coalesce(jobs.kind, webhooks.subject) as kind,
        job_progress.error_message as job_error, teams.webhook_secret, webhook_events.seq, webhook_events.id,
        webhook_events.type, webhook_events.attempts, webhook_events.result, webhook_events.data, job_tasks.payload,
        job_tasks.error_message, job_results.size
      from webhooks
      left join jobs on jobs.team = webhooks.team and jobs.number = webhooks.job
      left join job_progress on job_progress.team = webhooks.team and job_progress.job = webhooks.job
      join teams on teams.id = webhooks.team_id
      join webhook_events
        on webhook_events.team = webhooks.team and webhook_events.webhook = webhooks.number
        and webhook_events.seq = webhooks.delivered + webhooks.failed
      left join job_tasks
        on job_tasks.team = webhooks.team and job_tasks.job = webhooks.job
        and job_tasks.task_key = webhook_events.task_key
      left join job_results
        on job_results.team = webhooks.team and job_results.job = webhooks.job
        and job_results.seq = webhook_events.result
      where webhooks.team = ${team} and webhooks.number = ${webhook}`),
  ]);
  if (row === undefined) return null;
  return {
    team,
    webhook,
    job: nullable(integer)(row.job),
    claim: integer(row.claims),
    seq: integer(row.seq),
    id: text(row.id),
    type: text(row.type),
    attempts: integer(row.attempts),
    teamId: text(row.team_id),
    subjectId: text(row.subject_id),
    kind: text(row.kind),
    jobError: nullable(text)(row.job_error),
    target: text(row.target),
    secret: text(row.webhook_secret),
    task: row.payload === null ? null : toTask(row),
    data: nullable(text)(row.data),
  };
}

function toTask(row: Row): EventTask {
  return {
    payload: text(row.payload),
    result: row.size === null ? null : { seq: integer(row.result), size: integer(row.size) },
    error: nullable(text)(row.error_message),
  };
}

/** The outcome of an attempt. */
export type DeliveryEnd =
  | { type: 'delivered'; status: number }
  /** Retried at `runAt`; null after the last attempt, and then the next event follows. */
  | { type: 'failed'; status: number | null; error: string; runAt: number | null }
  /** No attempt was made. */
  | { type: 'returned' };

export interface Delivery {
  event: Pick<ClaimedEvent, 'team' | 'webhook' | 'job' | 'claim' | 'seq'>;
  at: number;
  end: DeliveryEnd;
}

/**
 * Records the outcome of an attempt, unless the event was claimed again meanwhile. Repeating it changes nothing once
 * the event has ended.
 */
export async function recordDelivery(db: Database, { event, at, end }: Delivery): Promise<void> {
  const { team, webhook, claim, seq } = event;
  const mine = sql`team = ${team} and number = ${webhook} and claims = ${claim} and delivered + failed = ${seq}`;
  const row = sql`team = ${team} and webhook = ${webhook} and seq = ${seq}`;
  const error = end.type === 'failed' ? end.error : null;
  const runAt = end.type === 'failed' ? end.runAt : null;
  if (end.type === 'returned' || runAt !== null) {
    const kept = await db.run(sql`
      update webhooks set run_at = ${runAt ?? at}, last_error = coalesce(${error}, last_error) where ${mine}`);
    if (kept === 0 || end.type === 'returned') return;
    await db.run(sql`
      update webhook_events set attempts = attempts + 1, status = ${end.status}, error = ${error}
      where ${row}`);
    return;
  }
  const isDelivered = end.type === 'delivered';
  const kept = await db.run(sql`
    update webhooks set
      delivered = delivered + ${Number(isDelivered)}, failed = failed + ${Number(!isDelivered)},
      run_at = case when delivered + failed + 1 = total then null else cast(${at} as bigint) end,
      target = case when closed = 1 then ${targetAfter(1)} else target end,
      last_error = coalesce(${error}, last_error)
    where ${mine}`);
  if (kept === 0) return;
  await db.run(sql`
    update webhook_events set
      state = ${isDelivered ? 1 : 2}, attempts = attempts + 1, status = ${end.status}, error = ${error}, ended_at = ${at}
    where ${row}`);
}
