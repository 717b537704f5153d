import type { Database } from '../../database.ts';
import { integer, nullable, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { countPlaces } from '../limits.ts';
import { butFor } from './ready.ts';
import { LANE_CONCURRENCY } from './rows.ts';

// Whose turn it is: of teams the one that was served the longest ago, of its jobs those that were, of their lanes those that
// were. Each is found by the first entries of an index, however many tasks wait.

/** Jobs of a team that one claim takes tasks of. */
const JOBS = 8;

export interface ReadyTeam {
  id: string;
  team: number;
  running: number;
  plan: string;
}

/** What a team may have under way. */
export interface Places {
  /** Scrapes and tasks together. */
  most: number;
  /** By scrapes and maps. */
  taken: number;
}

export interface ReadyJob {
  team: number;
  job: number;
  /** How many more of its tasks may run. */
  room: number;
  delay: number;
}

export interface ReadyLane {
  number: number;
  host: string;
  /** The name in the robots.txt of the host whose pace is the lane's; null until it is known that it has one. */
  robotsAgent: string | null;
  job: ReadyJob;
  waiting: number;
  running: number;
  /** Below this position none of its tasks waits for a first try. */
  firstPlace: number;
}

export interface LaneShare {
  lane: ReadyLane;
  /** How many tasks it may give, at most. */
  share: number;
}

/** The team whose turn it is, locked: whatever changes its jobs waits. */
export async function nextTeam(db: Database, at: number, full: readonly string[]): Promise<ReadyTeam | null> {
  const find = (lock: string) => sql`
    select job_teams.team_id, job_teams.number, job_teams.running, teams.plan
    from job_teams join teams on teams.id = job_teams.team_id
    where job_teams.ready_at <= ${at} ${butFor('job_teams.team_id', full)}
    order by job_teams.served_at limit 1 ${raw(lock)}`;
  let [row] = await db.all(find(db.dialect === 'postgres' ? 'for update of job_teams skip locked' : ''));
  // Rather another team than to wait for one. But when all are being worked on, to wait takes milliseconds.
  if (row === undefined && db.dialect === 'postgres') [row] = await db.all(find('for update of job_teams'));
  if (row === undefined) return null;
  return { id: text(row.team_id), team: integer(row.number), running: integer(row.running), plan: text(row.plan) };
}

/**
 * @param concurrency by the name of the plan; null is without a limit
 * @param takenPlaces by scrapes, where the database does not know
 */
export async function placesOf(
  db: Database,
  { id, plan }: ReadyTeam,
  concurrency: Readonly<Record<string, number | null>>,
  takenPlaces: ReadonlyMap<string, number> | null,
): Promise<Places> {
  // Of a plan that this process has not heard of, one task: in two seconds it will have.
  const { [plan]: most = 1 } = concurrency;
  if (most === null) return { most: Number.POSITIVE_INFINITY, taken: 0 };
  return { most, taken: takenPlaces === null ? await countPlaces(db, id) : (takenPlaces.get(id) ?? 0) };
}

/** The jobs of a team that something can be claimed of, in the order of their turns. */
export async function readyJobs(db: Database, team: number, at: number, full: readonly number[]): Promise<ReadyJob[]> {
  const rows = await db.all(sql`
    select job, running, max_concurrency, delay from job_progress
    where team = ${team} and ready_at <= ${at} ${butFor('job', full)}
    order by priority, served_at, job limit ${JOBS}`);
  return rows.map((row) => {
    const most = nullable(integer)(row.max_concurrency) ?? Number.POSITIVE_INFINITY;
    return { team, job: integer(row.job), room: most - integer(row.running), delay: integer(row.delay) };
  });
}

/** Which lanes get how many tasks, at most. What one job cannot use is left to the next ones. */
export async function shareOut(
  db: Database,
  jobs: readonly ReadyJob[],
  room: number,
  at: number,
): Promise<LaneShare[]> {
  const shares: LaneShare[] = [];
  let left = room;
  for (const [index, job] of jobs.entries()) {
    let quantum = Math.min(job.room, Math.ceil(left / (jobs.length - index)));
    if (quantum <= 0) continue;
    const lanes = await readyLanes(db, job, at, quantum);
    for (const [place, lane] of lanes.entries()) {
      const most = Math.min(lane.waiting, LANE_CONCURRENCY - lane.running);
      const share = Math.min(most, Math.ceil(quantum / (lanes.length - place)));
      quantum -= share;
      left -= share;
      shares.push({ lane, share });
    }
  }
  return shares;
}

/** A lane that was served gets a later time than those that wait, so their order is also whose turn it is. */
async function readyLanes(db: Database, job: ReadyJob, at: number, limit: number): Promise<ReadyLane[]> {
  const rows = await db.all(sql`
    select number, host, robots_agent, waiting, running, first_place from job_lanes
    where team = ${job.team} and job = ${job.job} and ready_at <= ${at} order by ready_at limit ${limit}`);
  return rows.map((row) => ({
    number: integer(row.number),
    host: text(row.host),
    robotsAgent: nullable(text)(row.robots_agent),
    job,
    waiting: integer(row.waiting),
    running: integer(row.running),
    firstPlace: integer(row.first_place),
  }));
}
