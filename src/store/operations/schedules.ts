import type { Database } from '../database.ts';
import { integer, nullable, type Row, text } from '../row.ts';
import { sql } from '../sql.ts';
import { lockTeam } from './jobs/ready.ts';

/** What recurs. */
export interface NewSchedule {
  /** Whose it is; null is the service itself. */
  teamId: string | null;
  id: string;
  /** Says who does it. */
  kind: string;
  cron: string;
  /** IANA name of the time zone in which the cron expression counts. */
  zone: string;
  /** JSON, as its kind wrote it. */
  options: string | null;
  /** When its next turn is. */
  nextAt: number;
}

export interface Schedule extends NewSchedule {
  /** The number of the team. */
  team: number;
}

/** The number under which the service itself has schedules. */
const SERVICE = 0;

/** Adds a schedule, or puts it in the place of the one with its id. One that stays as it is keeps its turn. */
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

/** Schedules whose turn has come, those that wait the longest first. */
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

/** Moves a schedule on from its turn to the next one. Tells whether the turn was still there: of several callers one gets it. */
export async function takeTurn(
  db: Database,
  { team, id, turn, nextAt }: { team: number; id: string; turn: number; nextAt: number },
): Promise<boolean> {
  const taken = await db.run(sql`
    update schedules set next_at = ${nextAt} where team = ${team} and id = ${id} and next_at = ${turn}`);
  return taken > 0;
}
