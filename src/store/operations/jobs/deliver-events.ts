import type { Database } from '../../database.ts';
import { integer, nullable, type Row, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { byIndexAlone, listed } from './rows.ts';
import { targetAfter } from './webhook-events.ts';

/** An event that a process has to itself until its lease is over. */
export interface ClaimedEvent extends WebhookTarget, Omit<SealedEvent, 'target'> {}

/** Where events go, and what goes with them. */
export interface WebhookTarget {
  url: string;
  /** JSON, as the next one. */
  headers: string;
  metadata: string;
}

/** Names a webhook in every table. */
export interface WebhookRef {
  team: number;
  webhook: number;
}

/** The same as it is stored. */
export interface SealedEvent extends WebhookRef {
  /** The job that it tells of. */
  job: number;
  /** By which it is known whose claim was the last one. */
  claim: number;
  seq: number;
  id: string;
  type: string;
  /** How often it was tried before. */
  attempts: number;
  teamId: string;
  jobId: string;
  jobKind: string;
  /** Why the job as a whole failed; null unless it did. */
  jobError: string | null;
  target: string;
  secret: string;
  /** Of an event of a task. */
  task: EventTask | null;
  /** Of an event that its kind alone has: JSON. */
  data: string | null;
}

export interface EventTask {
  payload: string;
  /** Null when it failed. */
  result: { seq: number; size: number } | null;
  /** Why it failed; null when robots.txt forbids it. */
  error: string | null;
}

export interface EventClaim {
  at: number;
  limit: number;
  leaseUntil: number;
  /** Events of one team under way here, at the most, and how many are. */
  perTeam: number;
  underWay: readonly (readonly [teamId: string, count: number])[];
}

/** Webhooks that are looked at for so many events: those of a team that has no more room are passed over. */
const CANDIDATES = 4;

/** When an event may next be delivered; null when there is none. */
export async function nextEventAt(db: Database): Promise<number | null> {
  const [row] = await db.all(sql`
    select run_at from webhooks where run_at is not null order by run_at limit 1`);
  return nullable(integer)(row?.run_at ?? null);
}

/**
 * Hands out events that are due, those due the longest first: of each webhook the first one that has not ended, so that
 * events of a job never overtake each other.
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
 * One after the other and not joined with the list: see `byIndexAlone`. Null for a webhook without an event: it is left
 * alone until the lease ends, and does not hold up other webhooks.
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
        webhooks.job, webhooks.claims, webhooks.team_id, webhooks.target, jobs.id as job_id, jobs.kind,
        job_progress.error_message as job_error, teams.webhook_secret, webhook_events.seq, webhook_events.id,
        webhook_events.type, webhook_events.attempts, webhook_events.result, webhook_events.data, job_tasks.payload,
        job_tasks.error_message, job_results.size
      from webhooks
      join jobs on jobs.team = webhooks.team and jobs.number = webhooks.job
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
    job: integer(row.job),
    claim: integer(row.claims),
    seq: integer(row.seq),
    id: text(row.id),
    type: text(row.type),
    attempts: integer(row.attempts),
    teamId: text(row.team_id),
    jobId: text(row.job_id),
    jobKind: text(row.kind),
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

/** What came of a try. */
export type DeliveryEnd =
  | { type: 'delivered'; status: number }
  /** Again at `runAt`; null when this was the last try, and the next event has its turn. */
  | { type: 'failed'; status: number | null; error: string; runAt: number | null }
  /** It was not tried. */
  | { type: 'returned' };

export interface Delivery {
  event: Pick<ClaimedEvent, 'team' | 'webhook' | 'job' | 'claim' | 'seq'>;
  at: number;
  end: DeliveryEnd;
}

/**
 * Keeps what came of a try, unless somebody else has claimed the event meanwhile: then nothing changes, nor does it the
 * second time when the event has ended.
 */
export async function settleEvent(db: Database, { event, at, end }: Delivery): Promise<void> {
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
