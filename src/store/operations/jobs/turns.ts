import type { Database } from '../../database.ts';
import { integer, nullable, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { countSlots } from '../limits.ts';
import { excluding } from './ready.ts';
import { LANE_CONCURRENCY } from './rows.ts';

// Whose turn it is: the team that was served longest ago, and within it the jobs and lanes that were served longest
// ago. Each is found by the first entries of an index, however many tasks wait.

/** The most jobs of a team in one claim. */
const JOBS = 8;

export interface ReadyTeam {
  id: string;
  team: number;
  running: number;
  plan: string;
}

/** The slots of a team: how much it may run at the same time. */
export interface Slots {
  /** For scrapes and tasks together. */
  most: number;
  /** Held by scrapes and maps. */
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
  /** The name in the robots.txt of the host whose pace applies to the lane; null until one is known. */
  robotsAgent: string | null;
  job: ReadyJob;
  waiting: number;
  running: number;
  /** No task before this position waits for its first attempt. */
  firstPosition: number;
}

export interface LaneShare {
  lane: ReadyLane;
  /** The maximum number of tasks from this lane. */
  share: number;
}

/** The team whose turn it is. Locks it: nothing else can change its jobs meanwhile. */
export async function nextTeam(db: Database, at: number, full: readonly string[]): Promise<ReadyTeam | null> {
  const find = (lock: string) => sql`
    select job_teams.team_id, job_teams.number, job_teams.running, teams.plan
    from job_teams join teams on teams.id = job_teams.team_id
    where job_teams.ready_at <= ${at} ${excluding('job_teams.team_id', full)}
    order by job_teams.served_at limit 1 ${raw(lock)}`;
  let [row] = await db.all(find(db.dialect === 'postgres' ? 'for update of job_teams skip locked' : ''));
  // It is better to serve another team than to wait for a lock. But if all teams are locked, the wait takes
  // milliseconds.
  if (row === undefined && db.dialect === 'postgres') [row] = await db.all(find('for update of job_teams'));
  if (row === undefined) return null;
  return { id: text(row.team_id), team: integer(row.number), running: integer(row.running), plan: text(row.plan) };
}

/**
 * @param concurrency by the name of the plan; null is without a limit
 * @param takenSlots slots held by scrapes; null if the database knows them
 */
export async function slotsOf(
  db: Database,
  { id, plan }: ReadyTeam,
  concurrency: Readonly<Record<string, number | null>>,
  takenSlots: ReadonlyMap<string, number> | null,
): Promise<Slots> {
  // A team on a plan that this process does not know yet gets one task; the plan is known within two seconds.
  const { [plan]: most = 1 } = concurrency;
  if (most === null) return { most: Number.POSITIVE_INFINITY, taken: 0 };
  return { most, taken: takenSlots === null ? await countSlots(db, id) : (takenSlots.get(id) ?? 0) };
}

/** The jobs of a team from which something can be claimed, in the order of their turns. */
export async function readyJobs(db: Database, team: number, at: number, full: readonly number[]): Promise<ReadyJob[]> {
  const rows = await db.all(sql`
    select job, running, max_concurrency, delay from job_progress
    where team = ${team} and ready_at <= ${at} ${excluding('job', full)}
    order by priority, served_at, job limit ${JOBS}`);
  return rows.map((row) => {
    const most = nullable(integer)(row.max_concurrency) ?? Number.POSITIVE_INFINITY;
    return { team, job: integer(row.job), room: most - integer(row.running), delay: integer(row.delay) };
  });
}

/** Divides tasks among lanes, up to a maximum for each. What one job cannot use goes to the next ones. */
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
    for (const [position, lane] of lanes.entries()) {
      const most = Math.min(lane.waiting, LANE_CONCURRENCY - lane.running);
      const share = Math.min(most, Math.ceil(quantum / (lanes.length - position)));
      quantum -= share;
      left -= share;
      shares.push({ lane, share });
    }
  }
  return shares;
}

/** A lane that was served becomes ready later than those that wait, so this order is also the order of turns. */
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
    firstPosition: integer(row.first_place),
  }));
}
