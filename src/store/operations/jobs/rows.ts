import type { Database } from '../../database.ts';
import { type Sql, sql } from '../../sql.ts';

/** Names a job in every table. The team comes first in each primary key, so that a database can be divided by it. */
export interface JobRef {
  team: number;
  job: number;
}

/** The rows of one job. */
export function ofJob({ team, job }: JobRef): Sql {
  return sql`team = ${team} and job = ${job}`;
}

/** States of a task, as they are stored. Above `done` is what the error report lists. */
export const STATE = { waiting: 0, leased: 1, done: 2, failed: 3, blocked: 4 } as const;

/**
 * What a task is for, as it is stored. Main tasks are what a job counts and what gives its results. Helpers find main tasks, as
 * sitemaps do; they are counted nowhere. The conclusion makes of the ended tasks what the job gives as a whole.
 */
export const ROLE = { main: 0, helper: 1, conclusion: 2 } as const;
export type TaskRole = keyof typeof ROLE;

/** A stored role by its name. */
export function toRole(value: unknown): TaskRole {
  const role = Number(value);
  return role === ROLE.helper ? 'helper' : role === ROLE.conclusion ? 'conclusion' : 'main';
}

/** The lane of tasks that ask no host. */
export const NO_HOST = '';

/**
 * Tasks of one lane that run at the same time. Of pages on one host it is twice what Scrapy does by itself (8), because
 * somebody waits for a batch.
 */
export const LANE_CONCURRENCY = 16;

/** Names a pace in `robots_paces`, and orders them: rows are locked in this order. */
export function paceName({ host, agent }: { host: string; agent: string }): string {
  return `${host} ${agent}`;
}

/**
 * Has PostgreSQL find everything in this transaction by an index, and in its order. Plans are made once for a connection
 * and kept: one from when a table was small reads all of it. For the same reason nothing here joins a list with a table
 * that grows, but changes one row after the other in one go: with two million addresses waiting a claim took 300 to 600 ms
 * by a join that was planned with a thousand, and takes 5; and 20,000 addresses for a table of 60 took over 30 s, and take
 * 0.4. A bitmap reads all that an index has to find the first few, among it what has changed since the last vacuum. A plan
 * is shared by all that send the same statement, so this comes first in each transaction that changes jobs.
 */
export async function byIndexAlone(db: Database): Promise<void> {
  if (db.dialect !== 'postgres') return;
  await db.all(sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`);
}

/**
 * A list as the rows of a table, to select `value->>0`, `value->>1` … of: one value to bind and one statement, whatever
 * its length. Numbers have to be cast, because PostgreSQL gives them as text.
 */
export function listed(db: Database, rows: readonly (readonly (string | number | null)[])[]): Sql {
  const json = JSON.stringify(rows.map((row) => row.map(storable)));
  return db.dialect === 'sqlite'
    ? sql`json_each(${json}) as listed`
    : sql`jsonb_array_elements(cast(${json} as jsonb)) as listed (value)`;
}

/** PostgreSQL takes neither U+0000 nor half of a surrogate pair. */
function storable(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}').toWellFormed() : value;
}
