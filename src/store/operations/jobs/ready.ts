import type { Database } from '../../database.ts';
import { integer, nullable } from '../../row.ts';
import { raw, type Sql, sql } from '../../sql.ts';
import { type JobRef, ofJob } from './rows.ts';

export interface LockedTeam {
  /** Its number in the job tables. */
  team: number;
  waiting: number;
  running: number;
}

/**
 * Waits for everyone else who changes jobs of this team, and creates the team's row if there is none. Callers that lock
 * several teams lock them in the order of their ids. SQLite has one writer and needs no lock.
 */
export async function lockTeam(db: Database, teamId: string): Promise<LockedTeam> {
  const lock = raw(db.dialect === 'postgres' ? 'for update' : '');
  const find = sql`select number, waiting, running from job_teams where team_id = ${teamId} ${lock}`;
  let [row] = await db.all(find);
  if (row === undefined) {
    await db.run(sql`
      insert into job_teams (team_id, waiting, running, served_at, ready_at) values (${teamId}, 0, 0, 0, null)
      on conflict (team_id) do nothing`);
    [row] = await db.all(find);
  }
  return { team: integer(row?.number), waiting: integer(row?.waiting), running: integer(row?.running) };
}

/** The number of a team in the job tables; null for a team that never had a job. */
export async function findTeamNumber(db: Database, teamId: string): Promise<number | null> {
  const [row] = await db.all(sql`select number from job_teams where team_id = ${teamId}`);
  return row === undefined ? null : integer(row.number);
}

/**
 * When a task can next be claimed from any of the job's lanes; null if from none. Reads the first entry of an index.
 */
export function nextLaneAt(ref: JobRef): Sql {
  return sql`(
    select ready_at from job_lanes where ${ofJob(ref)} and ready_at is not null order by ready_at limit 1
  )`;
}

/** The same for the team's jobs. */
export function nextJobAt(team: number): Sql {
  return sql`(
    select ready_at from job_progress
    where team = ${team} and ready_at is not null order by ready_at limit 1
  )`;
}

/** When a task of any team except these may next be claimed; null if none can until something else happens. */
export async function nextReadyAt(db: Database, full: readonly string[]): Promise<number | null> {
  const [row] = await db.all(sql`
    select min(ready_at) as ready_at from job_teams where ready_at is not null ${excluding('team_id', full)}`);
  return nullable(integer)(row?.ready_at ?? null);
}

/** A condition that excludes these values; empty if there are none. */
export function excluding(column: string, values: readonly (string | number)[]): Sql {
  return values.length === 0 ? raw('') : sql`and ${raw(column)} not in (${listOf(values)})`;
}

export function listOf(values: readonly (string | number)[]): Sql {
  return values.map((value) => sql`${value}`).reduce((list, value) => sql`${list}, ${value}`);
}
