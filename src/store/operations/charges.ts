import type { Database } from '../database.ts';
import { integer, nullable } from '../row.ts';
import { raw, sql } from '../sql.ts';

/** The prefixes of idempotency keys. A time-ordered id follows, by which old entries are found and removed. */
export const CHARGE_KINDS = ['scrape', 'lockdown-miss', 'page', 'task', 'map', 'extract'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** A number of items of one sort, and the credits for all of them. */
export interface ChargeItem {
  what: string;
  count: number;
  credits: number;
}

/** One entry of the ledger. */
export interface Charge {
  teamId: string;
  /** Idempotency key: only the first charge with a key counts. */
  key: `${ChargeKind}:${string}`;
  /** Null for a call without a key. */
  keyId: string | null;
  capability: string;
  jobId: string | null;
  credits: number;
  /** What the credits are for; null for a single page or call, which the key already names. */
  items: readonly ChargeItem[] | null;
  /** Only for Extract, which reports its usage in tokens. */
  tokens: number;
  chargedAt: number;
}

export const DAY_MS = 86_400_000;

/** Keys of charges for delivered work: scrapes and pages of jobs. */
const DELIVERED = /^(?:scrape|page):/;

/**
 * The number of rows that share the sum of one day and key on PostgreSQL, which locks a row until the commit is on
 * disk. Scrapes recorded per second over 10 connections: 870 with one row, 1,740 with 8, 2,090 with 16. Over 30
 * connections: 580, 1,290 and 2,500.
 */
const SHARDS = 16;

/** Adds usage to the row of its day, key and shard, and keeps the latest time of success. */
export const ADD_UP = raw(`
  on conflict (team_id, day, key_id, shard) do update set
    credits = usage_days.credits + excluded.credits, tokens = usage_days.tokens + excluded.tokens,
    last_success_at = case
      when excluded.last_success_at is null or usage_days.last_success_at > excluded.last_success_at
      then usage_days.last_success_at else excluded.last_success_at
    end`);

/**
 * Adds a charge to the ledger and to its sums: both or neither. Does nothing if a charge with this key exists. Returns
 * whether the charge was added.
 * On PostgreSQL this is one statement, and it comes last in a transaction: the row of the sum stays locked until the
 * commit.
 */
export async function addCharge(db: Database, charge: Charge): Promise<boolean> {
  const day = Math.floor(charge.chargedAt / DAY_MS);
  const successAt = sql`cast(${DELIVERED.test(charge.key) ? charge.chargedAt : null} as bigint)`;
  const entry = sql`
    insert into charges (team_id, charge_key, key_id, capability, job_id, credits, items, tokens, charged_at)
    values (
      ${charge.teamId}, ${charge.key}, ${charge.keyId}, ${charge.capability}, ${charge.jobId}, ${charge.credits},
      ${charge.items && JSON.stringify(charge.items)}, ${charge.tokens}, ${charge.chargedAt}
    )
    on conflict (team_id, charge_key) do nothing`;

  if (db.dialect === 'postgres') {
    const added = await db.run(sql`
      with entry as (${entry} returning team_id, key_id, credits, tokens)
      insert into usage_days (team_id, day, key_id, shard, credits, tokens, last_success_at)
      select
        team_id, ${day}, coalesce(key_id, ''), pg_backend_pid() % ${raw(String(SHARDS))}, credits, tokens, ${successAt}
      from entry
      ${ADD_UP}`);
    return added > 0;
  }
  if ((await db.run(entry)) === 0) return false;
  await db.run(sql`
    insert into usage_days (team_id, day, key_id, shard, credits, tokens, last_success_at)
    values (
      ${charge.teamId}, ${day}, ${charge.keyId ?? ''}, 0, ${charge.credits}, ${charge.tokens}, ${successAt}
    ) ${ADD_UP}`);
  return true;
}

/** When the team last received a scrape or a page of a job; null if it never did. Reads the sums of one day. */
export async function findLastSuccess(db: Database, teamId: string): Promise<number | null> {
  const [row] = await db.all(sql`
    select max(last_success_at) as last_success_at from usage_days
    where team_id = ${teamId} and day = (
      select day from usage_days
      where team_id = ${teamId} and last_success_at is not null order by day desc limit 1
    )`);
  return nullable(integer)(row?.last_success_at ?? null);
}
