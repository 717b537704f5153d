import type { Database } from '../../database.ts';
import { type Sql, sql } from '../../sql.ts';

/**
 * Identifies a job in every table. The team comes first in each primary key, so that a database can be divided by team.
 */
export interface JobRef {
  team: number;
  job: number;
}

/** The rows of one job. */
export function ofJob({ team, job }: JobRef): Sql {
  return sql`team = ${team} and job = ${job}`;
}

/** The id of the job's team, in the rows of other tables. */
export function teamIdOf({ team, job }: JobRef): Sql {
  return sql`(select jobs.team_id from jobs where jobs.team = ${team} and jobs.number = ${job})`;
}

/** States of a task, as stored. The error report lists those above `done`. */
export const STATE = { waiting: 0, leased: 1, done: 2, failed: 3, blocked: 4 } as const;

/**
 * The role of a task, as stored. Main tasks give the results of a job and are counted. Helpers find main tasks, as
 * sitemaps do, and are not counted. The conclusion makes the job's own result from the ended tasks.
 */
export const ROLE = { main: 0, helper: 1, conclusion: 2 } as const;
export type TaskRole = keyof typeof ROLE;

/** A stored role, by its name. */
export function toRole(value: unknown): TaskRole {
  const role = Number(value);
  return role === ROLE.helper ? 'helper' : role === ROLE.conclusion ? 'conclusion' : 'main';
}

/** The lane of tasks that contact no host. */
export const NO_HOST = '';

/**
 * Concurrent tasks of one lane. For pages on one host this is twice Scrapy's default (8), because someone waits for a
 * batch.
 */
export const LANE_CONCURRENCY = 16;

/** Identifies a pace in `robots_paces`, and orders them: rows are locked in this order. */
export function paceName({ host, agent }: { host: string; agent: string }): string {
  return `${host} ${agent}`;
}

/**
 * Makes PostgreSQL find everything in this transaction by an index, and in its order. Plans are made once per
 * connection and kept, and a plan from when a table was small reads all of it. For the same reason nothing here joins a
 * list with a table that grows; rows are changed one by one, in one round trip. With two million waiting addresses, a
 * claim took 300 to 600 ms by a join that was planned for a thousand rows, and now takes 5 ms. Adding 20,000 addresses
 * by a plan for a table of 60 rows took over 30 s, and now takes 0.4 s. Bitmap scans are off too: they read every entry
 * that an index has, including those changed since the last vacuum, to find the first few. All users of a statement
 * share its plan, so this comes first in every transaction that changes jobs.
 */
export async function byIndexAlone(db: Database): Promise<void> {
  if (db.dialect !== 'postgres') return;
  await db.all(sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`);
}

/**
 * A list as the rows of a table, from which to select `value->>0`, `value->>1` and so on: one bound value and one
 * statement, whatever its length. Numbers must be cast, because PostgreSQL returns them as text.
 */
export function listed(db: Database, rows: readonly (readonly (string | number | null)[])[]): Sql {
  const json = JSON.stringify(rows.map((row) => row.map(storable)));
  return db.dialect === 'sqlite'
    ? sql`json_each(${json}) as listed`
    : sql`jsonb_array_elements(cast(${json} as jsonb)) as listed (value)`;
}

/** PostgreSQL accepts neither U+0000 nor half of a surrogate pair. */
function storable(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}').toWellFormed() : value;
}
