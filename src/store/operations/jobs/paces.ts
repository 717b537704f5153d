import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { raw, type Sql, sql } from '../../sql.ts';
import { listOf } from './ready.ts';
import { paceName } from './rows.ts';

/** How quickly a host may be contacted, by all jobs and processes together. */
export interface Pace {
  /** Milliseconds between two tasks. */
  delay: number;
  /** The host must not be contacted before this time. */
  waitUntil: number;
  /** Whether a task was claimed at this pace. */
  isTaken: boolean;
  table: 'hosts' | 'robots_paces';
  /** Selects its row. */
  where: Sql;
}

/** What was learned about the pace of a host. */
export type HostPace =
  /** It was busy: contact it not before `nextAt`, and then with at least `delay` milliseconds between two tasks. */
  | { type: 'slower'; host: string; nextAt: number; delay: number }
  /** It can be contacted every `to` milliseconds instead of `from`. Ignored if the delay has changed since. */
  | { type: 'quicker'; host: string; from: number; to: number }
  /** Its robots.txt demands this delay in milliseconds of crawlers with this name, one of which is the lane's. */
  | { type: 'robots'; host: string; team: number; lane: number; agent: string; nextAt: number; delay: number };

/** A lane, as far as its pace is concerned. */
interface PacedLane {
  host: string;
  /** The name in the robots.txt of the host whose pace applies to the lane; null until one is known. */
  robotsAgent: string | null;
}

/** Both paces of each lane: one for busy hosts, and one that robots.txt demands. */
export class Paces {
  readonly #busy: ReadonlyMap<string, Pace>;
  readonly #robots: ReadonlyMap<string, Pace>;

  private constructor(busy: ReadonlyMap<string, Pace>, robots: ReadonlyMap<string, Pace>) {
    this.#busy = busy;
    this.#robots = robots;
  }

  /** Reads and locks the paces of these lanes. */
  static async read(db: Database, lanes: readonly PacedLane[], at: number): Promise<Paces> {
    return new Paces(await readBusy(db, lanes, at), await readRobots(db, lanes));
  }

  of(lane: PacedLane): { busy: Pace; robots: Pace } {
    return {
      busy: this.#busy.get(lane.host) ?? unhurried(),
      robots: this.#robots.get(robotsName(lane)) ?? unhurried(),
    };
  }

  /** Stores the paces at which tasks were claimed. */
  async save(db: Database): Promise<void> {
    const taken = [...this.#busy.values(), ...this.#robots.values()].filter(
      ({ isTaken, delay }) => isTaken && delay > 0,
    );
    await Promise.all(
      taken.map(({ table, waitUntil, where }) => db.run(sql`update ${raw(table)} set next_at = ${waitUntil} ${where}`)),
    );
  }
}

/** Called only when a task is claimed: an unused turn would only delay other tasks. */
export function takeTurn(pace: Pace, at: number): void {
  pace.waitUntil = at + pace.delay;
  pace.isTaken = true;
}

function unhurried(): Pace {
  return { delay: 0, waitUntil: 0, isTaken: false, table: 'hosts', where: raw('') };
}

async function readBusy(db: Database, lanes: readonly PacedLane[], at: number): Promise<Map<string, Pace>> {
  const hosts = [...new Set(lanes.map(({ host }) => host))];
  if (hosts.length === 0) return new Map();
  const lock = raw(db.dialect === 'postgres' ? 'for update' : '');
  const rows = await db.all(sql`
    select host, next_at, delay from hosts
    where host in (${listOf(hosts)}) and (delay > 0 or next_at > ${at})
    order by host ${lock}`);
  const paces = new Map<string, Pace>();
  for (const row of rows) {
    const host = text(row.host);
    const [waitUntil, delay] = [integer(row.next_at), integer(row.delay)];
    paces.set(host, { delay, waitUntil, isTaken: false, table: 'hosts', where: sql`where host = ${host}` });
  }
  return paces;
}

async function readRobots(db: Database, lanes: readonly PacedLane[]): Promise<Map<string, Pace>> {
  const names = new Map<string, { host: string; agent: string }>();
  for (const lane of lanes) {
    if (lane.robotsAgent !== null) names.set(robotsName(lane), { host: lane.host, agent: lane.robotsAgent });
  }
  const paces = new Map<string, Pace>();
  const lock = raw(db.dialect === 'postgres' ? 'for update' : '');
  for (const [name, { host, agent }] of [...names].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const where = sql`where host = ${host} and agent = ${agent}`;
    const [row] = await db.all(sql`select next_at, delay from robots_paces ${where} ${lock}`);
    if (row === undefined) continue;
    const [waitUntil, delay] = [integer(row.next_at), integer(row.delay)];
    paces.set(name, { delay, waitUntil, isTaken: false, table: 'robots_paces', where });
  }
  return paces;
}

function robotsName({ host, robotsAgent }: PacedLane): string {
  return paceName({ host, agent: robotsAgent ?? '' });
}

/** Stores paces, in the order in which claims lock the same rows. */
export async function setPaces(db: Database, learned: readonly HostPace[]): Promise<void> {
  const inOrder = [...learned].sort((one, other) => (lockOrder(one) < lockOrder(other) ? -1 : 1));
  for (const pace of inOrder) await setPace(db, pace);
}

function lockOrder(pace: HostPace): string {
  return pace.type === 'robots' ? `2 ${paceName(pace)}` : `1 ${pace.host}`;
}

/** In whatever order the reports of a busy host arrive, the slowest one counts. */
async function setPace(db: Database, pace: HostPace): Promise<void> {
  if (pace.type === 'quicker') {
    await db.run(sql`update hosts set delay = ${pace.to} where host = ${pace.host} and delay = ${pace.from}`);
    return;
  }
  if (pace.type === 'slower') {
    await db.run(sql`
      insert into hosts (host, next_at, delay) values (${pace.host}, ${pace.nextAt}, ${pace.delay})
      on conflict (host) do update set
        next_at = case when hosts.next_at > excluded.next_at then hosts.next_at else excluded.next_at end,
        delay = case when hosts.delay > excluded.delay then hosts.delay else excluded.delay end`);
    return;
  }
  await db.run(sql`
    insert into robots_paces (host, agent, next_at, delay)
    values (${pace.host}, ${pace.agent}, ${pace.nextAt}, ${pace.delay})
    on conflict (host, agent) do update set
      next_at = case when robots_paces.next_at > excluded.next_at then robots_paces.next_at else excluded.next_at end,
      delay = excluded.delay`);
  await db.run(sql`
    update job_lanes set robots_agent = ${pace.agent} where team = ${pace.team} and number = ${pace.lane}`);
}
