import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { StoreOptions } from '../../src/store/open-store.ts';

/**
 * Adds waiting pages to the only job directly in the database, in one statement, spread over the hosts of the job. Five
 * million take SQLite and PostgreSQL some minutes.
 *
 * @param from how many pages the job has
 * @param to how many it is to have
 */
export async function fillJob({ databaseUrl, dataDir }: StoreOptions, from: number, to: number): Promise<void> {
  const isSqlite = databaseUrl === undefined;
  const numbers = isSqlite
    ? `recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${to})`
    : `numbers as (select generate_series(${from}::bigint, ${to - 1}::bigint) as n)`;
  const key = isSqlite ? "printf('%08d', n)" : "lpad(cast(n as text), 8, '0')";
  const statements = [
    `with ${numbers},
      lanes as (select team, job, number, host, row_number() over (order by number) - 1 as place from job_lanes)
    insert into job_tasks (team, job, task_key, role, lane, payload, depth, position, state, run_at, attempts, losses)
    select team, job, ${key}, 0, number, 'https://host-' || number || '.test/articles/some-title-' || n, 0, n, 0, 0, 0, 0
    from numbers join lanes on place = n % (select count(*) from lanes)`,
    `update job_lanes set
      waiting = (select count(*) from job_tasks where team = job_lanes.team and lane = job_lanes.number and state = 0),
      ready_at = coalesce(ready_at, 0)`,
    `update job_progress set total = ${to}, waiting = (select sum(waiting) from job_lanes)`,
    'update job_teams set waiting = (select sum(waiting) from job_lanes)',
  ];
  if (isSqlite) {
    const database = new DatabaseSync(join(dataDir, 'trawl.db'), { timeout: 60_000 });
    for (const statement of ['begin', ...statements, 'commit']) database.exec(statement);
    database.close();
    return;
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of ['begin', ...statements, 'commit']) await client.query(statement);
  await client.end();
}

/** Updates statistics now instead of whenever the server does. SQLite has none. */
export async function holdStatistics({ databaseUrl }: StoreOptions): Promise<void> {
  for (const table of ['job_tasks', 'job_lanes', 'job_progress', 'job_teams', 'job_results']) {
    await inPostgres(databaseUrl, `alter table ${table} set (autovacuum_enabled = off)`);
  }
}

/** What autovacuum does once a good part of a table has changed. */
export async function makeStatistics({ databaseUrl }: StoreOptions): Promise<void> {
  await inPostgres(databaseUrl, 'analyze');
}

async function inPostgres(databaseUrl: string | undefined, statement: string): Promise<void> {
  if (databaseUrl === undefined) return;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
