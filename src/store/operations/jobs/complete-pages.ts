import type { Compressed } from '../../compression.ts';
import type { Database } from '../../database.ts';
import { integer, nullable, text } from '../../row.ts';
import { type Sql, sql } from '../../sql.ts';
import { addCharge, type Charge } from '../charges.ts';
import { type CacheRow, putCacheRows } from '../pages.ts';
import { release } from '../reservations.ts';
import { addAliases, addPages, addQueueFull, addRefused, type NewPage, type RefusedPage } from './add-pages.ts';
import { roomInQueue } from './add-work.ts';
import { lockTeam, nextJobAt, nextLaneAt } from './ready.ts';
import { byIndexAlone, PAGE, type PageKind, paceName } from './rows.ts';
import { useUp } from './start-job.ts';
import { tellOfEnd, tellOfPages } from './webhook-events.ts';

/** How the work on a page has ended. */
export type PageEnd =
  | {
      type: 'done';
      scrapeId: string;
      document: Compressed;
      /** For the cache. */
      copy?: CacheRow | undefined;
      charge: Charge | null;
      /** The address it turned out to have. Of a job each gives one result. */
      address?: PageAddress | undefined;
      found: readonly NewPage[];
      refused?: readonly RefusedPage[];
    }
  /** A sitemap; what it tells of was added meanwhile. */
  | { type: 'read' }
  | { type: 'failed'; scrapeId: string; code: string; message: string; charge: Charge | null }
  /** robots.txt keeps it out. */
  | { type: 'blocked' }
  /** Its target failed for a reason that may pass: again at `runAt`. */
  | { type: 'again'; runAt: number }
  /** Nothing was done, and it was not the page: it goes back as it was. */
  | { type: 'returned'; runAt: number }
  /** Its worker is gone. */
  | { type: 'lost' };

export interface PageAddress {
  key: string;
  url: string;
}

/** Which page has ended, and how. */
export interface EndedPage {
  teamId: string;
  job: number;
  key: string;
  kind: PageKind;
  lane: number;
  end: PageEnd;
}

/** What was learned about the pace of a host. */
export type HostPace =
  /** It was busy, and wants to be asked not before `nextAt`, and then with at least `delay` milliseconds between two pages. */
  | { type: 'slower'; host: string; nextAt: number; delay: number }
  /** It bears `to` milliseconds instead of `from`, unless somebody has learned something else meanwhile. */
  | { type: 'quicker'; host: string; from: number; to: number }
  /** Its robots.txt wants this many milliseconds between two pages of the crawlers with this name, one of which is the lane's. */
  | { type: 'robots'; host: string; lane: number; agent: string; nextAt: number; delay: number };

export interface PageCompletion {
  worker: number;
  at: number;
  ended: readonly EndedPage[];
  hosts: readonly HostPace[];
}

/**
 * Ends pages: state, result, charge, the pages they led to and the room that they leave, all of it or nothing. A page
 * that the worker has no more, because its lease was over, changes nothing and is charged for nothing.
 */
export async function completePages(db: Database, { worker, at, ended, hosts }: PageCompletion): Promise<void> {
  await byIndexAlone(db);
  // Before the team is locked: copies are large, and whoever has the page now may have them.
  await putCacheRows(
    db,
    ended.flatMap(({ end }) => (end.type === 'done' && end.copy !== undefined ? [end.copy] : [])),
  );
  const byTeam = Map.groupBy(ended, ({ teamId }) => teamId);
  const teams = [...byTeam].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [teamId] of teams) await lockTeam(db, teamId);
  // In the order in which claims lock the same rows.
  for (const host of [...hosts].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))) await setPace(db, host);

  for (const [teamId, pages] of teams) {
    for (const [job, ofJob] of Map.groupBy(pages, (page) => page.job)) {
      const held = await Promise.all(ofJob.map((page) => endPage(db, worker, at, page)));
      const mine = ofJob.filter((_, index) => held[index]);
      if (mine.length > 0) await settleJob(db, { teamId, job, ended: mine, at });
    }
    await db.run(sql`update job_teams set ready_at = ${nextJobAt(teamId)} where team_id = ${teamId}`);
  }
}

/** Tells whether the page was still the worker's. */
async function endPage(db: Database, worker: number, at: number, { job, key, end }: EndedPage): Promise<boolean> {
  const mine = sql`job = ${job} and page_key = ${key} and state = ${PAGE.leased} and worker = ${worker}`;
  return (await db.run(changeOf(end, at, mine))) > 0;
}

function changeOf(end: PageEnd, at: number, mine: Sql): Sql {
  switch (end.type) {
    case 'done':
      return sql`
        update job_pages set state = ${PAGE.done}, worker = null, scrape_id = ${end.scrapeId}, finished_at = ${at}
        where ${mine}`;
    case 'read':
      return sql`update job_pages set state = ${PAGE.done}, worker = null, finished_at = ${at} where ${mine}`;
    case 'failed':
      return sql`
        update job_pages set
          state = ${PAGE.failed}, worker = null, scrape_id = ${end.scrapeId}, finished_at = ${at},
          error_code = ${end.code}, error_message = ${end.message}
        where ${mine}`;
    case 'blocked':
      return sql`update job_pages set state = ${PAGE.blocked}, worker = null, finished_at = ${at} where ${mine}`;
    case 'again':
      return sql`
        update job_pages set state = ${PAGE.waiting}, worker = null, attempts = attempts + 1, run_at = ${end.runAt}
        where ${mine}`;
    case 'returned':
      return sql`update job_pages set state = ${PAGE.waiting}, worker = null, run_at = ${end.runAt} where ${mine}`;
    case 'lost':
      // Behind the others of its host: if it ends whatever works on it, they are done before.
      return sql`
        update job_pages set state = ${PAGE.waiting}, worker = null, losses = losses + 1, run_at = ${at} where ${mine}`;
  }
}

/** Counts what has ended, keeps results and charges, adds what was found, and ends the job with its last page. */
async function settleJob(
  db: Database,
  { teamId, job, ended, at }: { teamId: string; job: number; ended: readonly EndedPage[]; at: number },
): Promise<void> {
  const [row] = await db.all(sql`
    select
      jobs.id, jobs.page_credits, jobs.sets_aside, jobs.keep_ms, jobs.queued_pages, job_progress.status,
      job_progress.total, job_progress.page_room, job_progress.spare_room, job_progress.sitemap_room,
      job_progress.waiting, job_progress.running, job_progress.completed, job_progress.max_concurrency,
      job_teams.waiting as team_waiting
    from jobs join job_progress on job_progress.job = jobs.number join job_teams on job_teams.team_id = jobs.team_id
    where jobs.number = ${job}`);
  if (row === undefined) throw new Error(`There is no job ${job}, but a page of it ended.`);
  const isOpen = row.status === 'scraping';
  // Of a job that was cancelled nothing goes back, and nothing is added.
  const back = isOpen ? ended.filter(({ end }) => backAt(end, at) !== null).length : 0;
  const completed = integer(row.completed);
  const { delivered, duplicates, bytes } = await addResults(db, { job, ended, completed, at });
  const pageRoom = nullable(integer)(row.page_room);
  // A page without a result leaves its place to one that is found later, as often as there is room to spare.
  const failed = ended.filter(({ kind, end }) => kind === 'page' && (end.type === 'failed' || end.type === 'blocked'));
  await tellOfPages(db, {
    job,
    at,
    delivered: delivered.map(({ key }) => key),
    firstResult: completed,
    failed: failed.map(({ key }) => key),
  });
  const freed = pageRoom === null ? 0 : Math.min(failed.length + duplicates, integer(row.spare_room));

  const queuedPages = nullable(integer)(row.queued_pages);
  const done = isOpen ? ended.flatMap(({ end }) => (end.type === 'done' ? [end] : [])) : [];
  const added = await addPages(db, {
    job,
    at,
    pages: done.flatMap(({ found }) => found),
    position: integer(row.total),
    room: {
      pages: pageRoom === null ? null : pageRoom + freed,
      sitemaps: integer(row.sitemap_room),
      inQueue: roomInQueue(queuedPages, integer(row.team_waiting) + back),
    },
  });
  const { leftOut } = added;
  if (leftOut !== null && queuedPages !== null) await addQueueFull(db, { job, at, leftOut, queuedPages });
  await addRefused(db, { job, at, refused: done.flatMap(({ refused = [] }) => refused) });
  await settleLanes(db, ended, at);

  const more = added.pages + added.sitemaps;
  const waiting = integer(row.waiting) + back + more;
  const running = integer(row.running) - ended.length;
  const hasRoom = running < (nullable(integer)(row.max_concurrency) ?? Number.POSITIVE_INFINITY);
  const charges = [...delivered, ...failed].flatMap(({ end }) =>
    'charge' in end && end.charge !== null ? [end.charge] : [],
  );
  const credits = charges.reduce((sum, charge) => sum + charge.credits, 0);
  await db.run(sql`
    update job_progress set
      total = total + ${added.pages - duplicates}, waiting = ${waiting}, running = ${running},
      completed = ${completed + delivered.length}, failed = failed + ${failed.length}, credits = credits + ${credits},
      stored_size = stored_size + ${bytes},
      page_room = page_room + ${freed - added.pages}, spare_room = spare_room - ${freed},
      sitemap_room = sitemap_room - ${added.sitemaps},
      ready_at = ${isOpen && hasRoom ? nextLaneAt(job) : null}
    where job = ${job}`);
  await db.run(sql`
    update job_teams set running = running - ${ended.length}, waiting = waiting + ${back + more}
    where team_id = ${teamId}`);

  const isLast = isOpen && waiting === 0 && running === 0;
  if (isLast) await endJob(db, { job, status: 'completed', at, keepMs: integer(row.keep_ms) });
  if (isLast) await tellOfEnd(db, { job, at, type: 'completed' });
  // What was under way when the job was cancelled has ended too.
  if (!isOpen && running === 0) await tellOfEnd(db, { job, at, type: 'failed' });
  if (integer(row.sets_aside) === 1 && isOpen) {
    const id = text(row.id);
    // What is set aside for a place stays with the place.
    const used = (delivered.length + failed.length + duplicates - freed) * integer(row.page_credits);
    await (isLast ? release(db, { teamId, id }) : useUp(db, { teamId, id, credits: used, at }));
  }
  // Last, because sums of the ledger stay locked until the commit.
  await Promise.all(charges.map((charge) => addCharge(db, charge)));
}

/**
 * Keeps the results of pages, but for those whose address has given one: they are duplicates, which are not charged
 * either. What is known to be delivered under another address is not fetched there again.
 */
async function addResults(
  db: Database,
  { job, ended, completed, at }: { job: number; ended: readonly EndedPage[]; completed: number; at: number },
): Promise<{ delivered: EndedPage[]; duplicates: number; bytes: number }> {
  const delivered: EndedPage[] = [];
  const aliases: PageAddress[] = [];
  let duplicates = 0;
  let bytes = 0;
  for (const page of ended) {
    if (page.end.type !== 'done') continue;
    const { document, address } = page.end;
    if (await addResult(db, job, completed + delivered.length, document, address?.key ?? null)) {
      delivered.push(page);
      bytes += document.bytes.byteLength;
      if (address !== undefined && address.key !== page.key) aliases.push(address);
    } else duplicates += 1;
  }
  await addAliases(db, { job, at, pages: aliases });
  return { delivered, duplicates, bytes };
}

/** Ends a job: its results can be read for a while, and what it was asked for is forgotten. */
export async function endJob(
  db: Database,
  { job, status, at, keepMs }: { job: number; status: 'completed' | 'cancelled'; at: number; keepMs: number },
): Promise<void> {
  await db.run(sql`
    update job_progress set
      status = ${status}, waiting = 0, ready_at = null, finished_at = ${at}, expires_at = ${at + keepMs}
    where job = ${job}`);
  await db.run(sql`update jobs set options = null, summary = null where number = ${job}`);
}

/** When a page that goes back to the others may be claimed again; null for one that has come to its end. */
function backAt(end: PageEnd, at: number): number | null {
  if (end.type === 'again' || end.type === 'returned') return end.runAt;
  return end.type === 'lost' ? at : null;
}

async function settleLanes(db: Database, ended: readonly EndedPage[], at: number): Promise<void> {
  const lanes = new Map<number, { ended: number; back: number; readyAt: number }>();
  for (const { lane, end } of ended) {
    const sum = lanes.get(lane) ?? { ended: 0, back: 0, readyAt: Number.MAX_SAFE_INTEGER };
    const readyAt = backAt(end, at);
    lanes.set(lane, {
      ended: sum.ended + 1,
      back: sum.back + Number(readyAt !== null),
      readyAt: Math.min(sum.readyAt, readyAt ?? Number.MAX_SAFE_INTEGER),
    });
  }
  await Promise.all(
    [...lanes].map(([lane, { ended: left, back, readyAt }]) =>
      // A lane that waits without a time was full, and has room now.
      db.run(sql`
        update job_lanes set
          running = running - ${left},
          waiting = waiting + ${back},
          ready_at = case
            when waiting + ${back} = 0 then null
            when ready_at is null and waiting > 0 then ${at}
            when ready_at <= ${readyAt} then ready_at
            when next_at > ${readyAt} then next_at
            else ${readyAt}
          end
        where number = ${lane}`),
    ),
  );
}

/** Tells whether it was kept: of a job each address gives one result. */
async function addResult(
  db: Database,
  job: number,
  seq: number,
  { bytes, size }: Compressed,
  key: string | null,
): Promise<boolean> {
  const kept = await db.run(sql`
    insert into job_results (job, seq, size, page_key, document) values (${job}, ${seq}, ${size}, ${key}, ${bytes})
    on conflict (job, page_key) where page_key is not null do nothing`);
  return kept > 0;
}

function placeOf(pace: HostPace): string {
  return pace.type === 'robots' ? `2 ${paceName(pace)}` : `1 ${pace.host}`;
}

/** In whatever order pages tell of a busy host, it is never asked sooner than one of them said. */
async function setPace(db: Database, pace: HostPace): Promise<void> {
  if (pace.type === 'robots') {
    await db.run(sql`
      insert into robots_paces (host, agent, next_at, delay)
      values (${pace.host}, ${pace.agent}, ${pace.nextAt}, ${pace.delay})
      on conflict (host, agent) do update set
        next_at = case when robots_paces.next_at > excluded.next_at then robots_paces.next_at else excluded.next_at end,
        delay = excluded.delay`);
    await db.run(sql`update job_lanes set robots_agent = ${pace.agent} where number = ${pace.lane}`);
    return;
  }
  if (pace.type === 'quicker') {
    await db.run(sql`update hosts set delay = ${pace.to} where host = ${pace.host} and delay = ${pace.from}`);
    return;
  }
  await db.run(sql`
    insert into hosts (host, next_at, delay) values (${pace.host}, ${pace.nextAt}, ${pace.delay})
    on conflict (host) do update set
      next_at = case when hosts.next_at > excluded.next_at then hosts.next_at else excluded.next_at end,
      delay = case when hosts.delay > excluded.delay then hosts.delay else excluded.delay end`);
}
