import type { Database } from '../../database.ts';
import { integer, nullable, text } from '../../row.ts';
import { raw, type Sql, sql } from '../../sql.ts';
import { countPlaces } from '../limits.ts';
import { butFor, listOf, nextJobAt, nextLaneAt } from './ready.ts';
import { byIndexAlone, LANE_CONCURRENCY, PAGE, type PageKind, paceName, toKind } from './rows.ts';
import { staysWorker } from './workers.ts';

/** A page that a worker has to itself until its lease is over. */
export interface ClaimedPage {
  teamId: string;
  job: number;
  key: string;
  kind: PageKind;
  lane: number;
  url: string;
  host: string;
  depth: number;
  /** How often its target has failed before. */
  attempts: number;
  /** Milliseconds between two pages of this host, as far as known: because it was busy. */
  hostDelay: number;
  /** The same because of its robots.txt. */
  robotsDelay: number;
}

export interface PageClaim {
  worker: number;
  limit: number;
  at: number;
  /** How many scrapes and pages a team may have under way, by the name of its plan. Null is without a limit. */
  concurrency: Readonly<Record<string, number | null>>;
  /** Those that have their share of this worker already: it takes no more of theirs. */
  sated: { teams: readonly string[]; jobs: readonly number[] };
}

/** Jobs of a team that one claim takes pages of. */
const JOBS = 8;
/** A team whose scrapes have all places is looked at again after this long: nobody tells when one is left. */
const PLACES_LOOK_MS = 200;

interface Team {
  id: string;
  running: number;
  plan: string;
}

/** What a team may have under way. */
interface Places {
  /** Scrapes and pages together. */
  most: number;
  /** By scrapes and maps. */
  taken: number;
}

const UNLIMITED: Places = { most: Number.POSITIVE_INFINITY, taken: 0 };

interface Job {
  number: number;
  /** How many more of its pages may run. */
  room: number;
  delay: number;
}

interface Lane {
  number: number;
  host: string;
  /** The name in the robots.txt of the host whose pace is the lane's; null until it is known that it has one. */
  robotsAgent: string | null;
  job: Job;
  waiting: number;
  running: number;
  /** Below this position none of its pages waits for a first try. */
  firstPlace: number;
}

/**
 * Hands pages of one team to a worker: of the team that was served the longest ago, of some of its jobs that were, of
 * their lanes that were. Each gets a share, and none more than its concurrency and its host's pace allow. What it costs
 * does not depend on how many pages wait: everything is found by the first entries of an index. Gives none when nothing
 * is ready, or when what was ready turned out to have to wait; `nextReadyAt` tells the two apart.
 *
 * Pages give way to scrapes, for which somebody waits: none begins while both together fill the plan. But one page of a
 * team runs at any time, so that scrapes that never end starve no job.
 *
 * @param claim `takenPlaces`: by scrapes, where the database does not know
 */
export async function claimPages(
  db: Database,
  claim: PageClaim & { takenPlaces: ReadonlyMap<string, number> | null },
): Promise<ClaimedPage[]> {
  const { worker, limit, at, concurrency, sated, takenPlaces } = claim;
  const [, isWorker, team] = await Promise.all([
    byIndexAlone(db),
    staysWorker(db, worker),
    nextTeam(db, at, sated.teams),
  ]);
  // What somebody took who is no worker any more would be nobody's to hand on.
  if (!isWorker || team === null) return [];
  // Of a plan that this process has not heard of, one page: in two seconds it will have.
  const { [team.plan]: most = 1 } = concurrency;
  const places = most === null ? UNLIMITED : { most, taken: await countTaken(db, team.id, takenPlaces) };
  const least = team.running === 0 ? 1 : 0;
  const room = Math.min(limit, Math.max(places.most - places.taken - team.running, least));
  const jobs = room > 0 ? await readyJobs(db, team.id, at, sated.jobs) : [];
  const shares = await shareOut(db, jobs, room, at);
  const paces = await readPaces(db, shares, at);
  const robotsPaces = await readRobotsPaces(db, shares);

  const taking = shares.map(async ({ lane, share }) => ({
    lane,
    share,
    pages: await firstPages(db, lane, share + 1),
  }));

  const claimed: ClaimedPage[] = [];
  const served: ServedLane[] = [];
  for (const { lane, share, pages } of await Promise.all(taking)) {
    const busy = paces.get(lane.host) ?? unhurried();
    const robots = robotsPaces.get(robotsName(lane)) ?? unhurried();
    const gap = Math.max(busy.delay, robots.delay, lane.job.delay);
    const waitUntil = Math.max(busy.waitUntil, robots.waitUntil);
    const most = waitUntil > at ? 0 : gap > 0 ? 1 : share;
    const taken = pages.slice(0, most).filter(({ runAt }) => runAt <= at);
    // The page after them tells when the lane is next ready. One that had nothing to give is not looked at again at once.
    const nextAt = Math.max(taken.length > 0 ? at + gap : at + 1, waitUntil, pages[taken.length]?.runAt ?? 0);
    const firstPlace = firstPlaceAfter(lane, pages, taken.length);
    served.push({ lane, taken: taken.length, nextAt, firstPlace });
    // Another job of the team on this host waits its turn.
    if (taken.length > 0) for (const pace of [busy, robots]) takeTurn(pace, at);
    const { host, number, job } = lane;
    const delays = { hostDelay: busy.delay, robotsDelay: robots.delay };
    const of = { teamId: team.id, job: job.number, lane: number, host, ...delays };
    claimed.push(...taken.map(({ runAt: _, position: __, ...page }) => ({ ...page, ...of })));
  }
  // None waits for another but in the order in which they are sent: PostgreSQL gets them in one go.
  await Promise.all([
    ...claimed.map((page) => leasePage(db, page, worker)),
    ...served.map((lane) => settleLane(db, lane, at)),
    ...[...paces.values(), ...robotsPaces.values()].map((pace) => settlePace(db, pace)),
    ...jobs.map((job) => settleJob(db, job, claimed, at)),
    settleTeam(db, team, claimed.length, places, at),
  ]);
  return claimed;
}

interface ServedLane {
  lane: Lane;
  taken: number;
  nextAt: number;
  firstPlace: number;
}

/** The team whose turn it is, locked: whatever changes its jobs waits. */
async function nextTeam(db: Database, at: number, sated: readonly string[]): Promise<Team | null> {
  const find = (lock: string) => sql`
    select job_teams.team_id, job_teams.running, teams.plan
    from job_teams join teams on teams.id = job_teams.team_id
    where job_teams.ready_at <= ${at} ${butFor('job_teams.team_id', sated)}
    order by job_teams.served_at limit 1 ${raw(lock)}`;
  let [row] = await db.all(find(db.dialect === 'postgres' ? 'for update of job_teams skip locked' : ''));
  // Rather another team than to wait for one. But when all are being worked on, to wait takes milliseconds.
  if (row === undefined && db.dialect === 'postgres') [row] = await db.all(find('for update of job_teams'));
  return row === undefined ? null : { id: text(row.team_id), running: integer(row.running), plan: text(row.plan) };
}

async function countTaken(
  db: Database,
  teamId: string,
  takenPlaces: ReadonlyMap<string, number> | null,
): Promise<number> {
  return takenPlaces === null ? countPlaces(db, teamId) : (takenPlaces.get(teamId) ?? 0);
}

async function readyJobs(db: Database, teamId: string, at: number, sated: readonly number[]): Promise<Job[]> {
  const rows = await db.all(sql`
    select job, running, max_concurrency, delay from job_progress
    where team_id = ${teamId} and ready_at <= ${at} ${butFor('job', sated)}
    order by priority, served_at, job limit ${JOBS}`);
  return rows.map((row) => {
    const most = nullable(integer)(row.max_concurrency) ?? Number.POSITIVE_INFINITY;
    return { number: integer(row.job), room: most - integer(row.running), delay: integer(row.delay) };
  });
}

/** Which lanes get how many pages, at most. What one job cannot use is left to the next ones. */
async function shareOut(
  db: Database,
  jobs: readonly Job[],
  room: number,
  at: number,
): Promise<{ lane: Lane; share: number }[]> {
  const shares: { lane: Lane; share: number }[] = [];
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
async function readyLanes(db: Database, job: Job, at: number, limit: number): Promise<Lane[]> {
  const rows = await db.all(sql`
    select number, host, robots_agent, waiting, running, first_place from job_lanes
    where job = ${job.number} and ready_at <= ${at} order by ready_at limit ${limit}`);
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

interface Pace {
  /** Milliseconds between two pages. */
  delay: number;
  /** The host is to be left alone until then. */
  waitUntil: number;
  isTaken: boolean;
  table: 'hosts' | 'robots_paces';
  /** Which row it is. */
  where: Sql;
}

function unhurried(): Pace {
  return { delay: 0, waitUntil: 0, isTaken: false, table: 'hosts', where: raw('') };
}

/** Only when a page is taken: a turn that is used up for nothing could be missing whenever another pace allows a page. */
function takeTurn(pace: Pace, at: number): void {
  pace.waitUntil = at + pace.delay;
  pace.isTaken = true;
}

/** The paces of the hosts that have one because they were busy, locked. */
async function readPaces(db: Database, lanes: readonly { lane: Lane }[], at: number): Promise<Map<string, Pace>> {
  const hosts = [...new Set(lanes.map(({ lane }) => lane.host))];
  if (hosts.length === 0) return new Map();
  const lock = raw(db.dialect === 'postgres' ? 'for update' : '');
  const rows = await db.all(sql`
    select host, next_at, delay from hosts
    where host in (${listOf(hosts)}) and (delay > 0 or next_at > ${at})
    order by host ${lock}`);
  const paces = new Map<string, Pace>();
  for (const row of rows) {
    const [host, waitUntil, delay] = [text(row.host), integer(row.next_at), integer(row.delay)];
    paces.set(host, { delay, waitUntil, isTaken: false, table: 'hosts', where: sql`where host = ${host}` });
  }
  return paces;
}

/** The paces of the lanes that have one by the robots.txt of their host, locked. */
async function readRobotsPaces(db: Database, lanes: readonly { lane: Lane }[]): Promise<Map<string, Pace>> {
  const names = new Map<string, { host: string; agent: string }>();
  for (const { lane } of lanes) {
    if (lane.robotsAgent !== null) names.set(robotsName(lane), { host: lane.host, agent: lane.robotsAgent });
  }
  const paces = new Map<string, Pace>();
  const lock = raw(db.dialect === 'postgres' ? 'for update' : '');
  for (const [name, { host, agent }] of [...names].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const where = sql`where host = ${host} and agent = ${agent}`;
    const [row] = await db.all(sql`select next_at, delay from robots_paces ${where} ${lock}`);
    if (row === undefined) continue;
    paces.set(name, {
      delay: integer(row.delay),
      waitUntil: integer(row.next_at),
      isTaken: false,
      where,
      table: 'robots_paces',
    });
  }
  return paces;
}

async function settlePace(db: Database, { isTaken, delay, waitUntil, table, where }: Pace): Promise<void> {
  if (!isTaken || delay === 0) return;
  await db.run(sql`update ${raw(table)} set next_at = ${waitUntil} ${where}`);
}

function robotsName({ host, robotsAgent }: Lane): string {
  return paceName({ host, agent: robotsAgent ?? '' });
}

interface WaitingPage {
  key: string;
  kind: PageKind;
  url: string;
  depth: number;
  attempts: number;
  /** 0 for the first try. */
  runAt: number;
  position: number;
}

/**
 * From where the lane's pages begin: the index of PostgreSQL keeps what was taken before until the next vacuum, and to
 * pass over the entries of 48,000 pages is to read 245 blocks of it instead of 7.
 */
async function firstPages(db: Database, { number, firstPlace }: Lane, limit: number): Promise<WaitingPage[]> {
  const rows = await db.all(sql`
    select page_key, kind, url, depth, attempts, run_at, position from job_pages
    where lane = ${number} and state = 0 and (run_at, position) >= (0, ${firstPlace})
    order by run_at, position limit ${limit}`);
  return rows.map((row) => ({
    key: text(row.page_key),
    kind: toKind(row.kind),
    url: text(row.url),
    depth: integer(row.depth),
    attempts: integer(row.attempts),
    runAt: integer(row.run_at),
    position: integer(row.position),
  }));
}

/** Where the lane begins when some of its first pages are taken: pages for their first try stand before all others. */
function firstPlaceAfter({ firstPlace }: Lane, pages: readonly WaitingPage[], taken: number): number {
  return pages.slice(0, taken + 1).findLast(({ runAt }) => runAt === 0)?.position ?? firstPlace;
}

async function leasePage(db: Database, { job, key }: ClaimedPage, worker: number): Promise<void> {
  await db.run(sql`
    update job_pages set state = ${PAGE.leased}, worker = ${worker} where job = ${job} and page_key = ${key}`);
}

async function settleLane(db: Database, { lane, taken, nextAt, firstPlace }: ServedLane, at: number): Promise<void> {
  const hasNone = lane.waiting === taken || lane.running + taken >= LANE_CONCURRENCY;
  await db.run(sql`
    update job_lanes set
      waiting = waiting - ${taken}, running = running + ${taken}, ready_at = ${hasNone ? null : nextAt},
      first_place = ${firstPlace}, next_at = ${taken > 0 ? sql`${at + lane.job.delay}` : sql`next_at`}
    where number = ${lane.number}`);
}

async function settleJob(db: Database, job: Job, claimed: readonly ClaimedPage[], at: number): Promise<void> {
  const taken = claimed.filter((page) => page.job === job.number).length;
  await db.run(sql`
    update job_progress set
      waiting = waiting - ${taken}, running = running + ${taken}, served_at = ${at},
      ready_at = ${taken >= job.room ? null : nextLaneAt(job.number)}
    where job = ${job.number}`);
}

async function settleTeam(db: Database, team: Team, claimed: number, places: Places, at: number): Promise<void> {
  const running = team.running + claimed;
  await db.run(sql`
    update job_teams set
      waiting = waiting - ${claimed}, running = running + ${claimed}, served_at = ${at},
      ready_at = ${running >= places.most ? null : nextTeamAt(team, running, places, at)}
    where team_id = ${team.id}`);
}

function nextTeamAt({ id }: Team, running: number, { most, taken }: Places, at: number): Sql {
  const next = nextJobAt(id);
  if (running + taken < most) return next;
  const lookAt = at + PLACES_LOOK_MS;
  return sql`case when ${next} < ${lookAt} then ${lookAt} else ${next} end`;
}
