import type { Database } from '../database.ts';
import { integer, nullable, type Row, text } from '../row.ts';
import { sql } from '../sql.ts';
import { lockTeam } from './jobs/ready.ts';

/** Recurring work. */
export interface NewSchedule {
  /** The team that it belongs to; null for the service itself. */
  teamId: string | null;
  id: string;
  /** The kind that runs it. */
  kind: string;
  cron: string;
  /** IANA name of the time zone of the cron expression. */
  zone: string;
  /** JSON, as written by its kind. */
  options: string | null;
  /** When the next turn is due. */
  nextAt: number;
}

export interface Schedule extends NewSchedule {
  /** The number of the team. */
  team: number;
}

/** The team number under which the service itself has schedules. */
const SERVICE = 0;

/** Adds a schedule, or replaces the one with its id. An unchanged schedule keeps its turn. */
export async function putSchedule(db: Database, schedule: NewSchedule): Promise<void> {
  const { teamId, id, kind, cron, zone, options, nextAt } = schedule;
  const { team } = teamId === null ? { team: SERVICE } : await lockTeam(db, teamId);
  await db.run(sql`
    insert into schedules (team, id, kind, cron, zone, options, next_at)
    values (${team}, ${id}, ${kind}, ${cron}, ${zone}, ${options}, ${nextAt})
    on conflict (team, id) do update set
      kind = excluded.kind, cron = excluded.cron, zone = excluded.zone, options = excluded.options,
      next_at = case
        when schedules.cron = excluded.cron and schedules.zone = excluded.zone then schedules.next_at
        else excluded.next_at
      end`);
}

/** Schedules whose turn is due, the most overdue first. */
export async function dueSchedules(db: Database, { at, limit }: { at: number; limit: number }): Promise<Schedule[]> {
  const rows = await db.all(sql`
    select team, job_teams.team_id, id, kind, cron, zone, options, next_at
    from schedules left join job_teams on job_teams.number = schedules.team
    where next_at <= ${at} order by next_at limit ${limit}`);
  return rows.map(toSchedule);
}

function toSchedule(row: Row): Schedule {
  return {
    team: integer(row.team),
    teamId: nullable(text)(row.team_id),
    id: text(row.id),
    kind: text(row.kind),
    cron: text(row.cron),
    zone: text(row.zone),
    options: nullable(text)(row.options),
    nextAt: integer(row.next_at),
  };
}

/**
 * Moves a schedule from this turn to the next one. Returns whether the turn was still open: only one caller gets it.
 */
export async function takeTurn(
  db: Database,
  { team, id, turn, nextAt }: { team: number; id: string; turn: number; nextAt: number },
): Promise<boolean> {
  const taken = await db.run(sql`
    update schedules set next_at = ${nextAt} where team = ${team} and id = ${id} and next_at = ${turn}`);
  return taken > 0;
}
