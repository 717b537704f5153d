import { newId } from '../../../clock.ts';
import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { countShapes, type PageShape } from './page-shapes.ts';
import { KIND, LANE_CONCURRENCY, listed, PAGE, type PageKind } from './rows.ts';

export interface NewPage {
  /** A page when left out. */
  kind?: PageKind;
  /** Of a job no key comes twice. Null: as many times as it is given. */
  key: string | null;
  url: string;
  /** What is asked politely as one: host and port. */
  host: string;
  /** Links between the start and here. */
  depth: number;
  /** Counted when the page is added. */
  shape?: PageShape | null;
}

/** A page that will not be fetched, for the error report. */
export interface RefusedPage {
  key: string;
  url: string;
  /** In the report; of no scrape. */
  scrapeId: string;
  /** Null: robots.txt keeps it out. */
  error: { code: string; message: string } | null;
}

/** How many may still be added. Null is as many as come. */
export interface Room {
  pages: number | null;
  sitemaps: number;
  /** Of both together: what the team may have wait. */
  inQueue: number | null;
}

export interface Added {
  pages: number;
  sitemaps: number;
  /** The first one that is new and would have been added, had there been room in the queue; null when none was left out. */
  leftOut: string | null;
}

/** Pages that were not even tried are reported up to here: a site can have any number of them. */
const MOST_REFUSED = 1_000;

/**
 * Adds what was found to a job, as far as there is room and without those whose key is there, and opens their lanes. Tells
 * how many were added. The counters of job and team are the caller's to change.
 *
 * @param position of the first one: within a host those with a lower one go first
 */
export async function addPages(
  db: Database,
  work: { job: number; at: number; pages: readonly NewPage[]; position: number; room: Room },
): Promise<Added> {
  const { job, at, position, room } = work;
  const byKind = Map.groupBy(work.pages, ({ kind }) => kind ?? 'page');
  let inQueue = room.inQueue ?? Number.POSITIVE_INFINITY;
  let leftOut: string | null = null;
  const add = async (kind: PageKind, ofKind: number) => {
    const pages = byKind.get(kind) ?? [];
    const most = Math.min(ofKind, inQueue, pages.length);
    const added = most === 0 ? 0 : await addOfKind(db, { job, at, kind, pages, position, most });
    const isQueueFull = added === inQueue && added < ofKind && added < pages.length;
    if (isQueueFull) leftOut ??= await firstUnknown(db, job, pages);
    inQueue -= added;
    return added;
  };
  const pages = await add('page', room.pages ?? Number.POSITIVE_INFINITY);
  const sitemaps = await add('sitemap', room.sitemaps);
  return { pages, sitemaps, leftOut };
}

/** The address of the first page that the job does not have; null when it has all of them. */
async function firstUnknown(db: Database, job: number, pages: readonly NewPage[]): Promise<string | null> {
  const [row] = await db.all(sql`
    select value->>1 as url from ${listed(
      db,
      pages.map(({ key, url }) => [key, url]),
    )}
    where (select 1 from job_pages where job = ${job} and page_key = value->>0) is null limit 1`);
  return row === undefined ? null : text(row.url);
}

async function addOfKind(
  db: Database,
  work: { job: number; at: number; kind: PageKind; pages: readonly NewPage[]; position: number; most: number },
): Promise<number> {
  const { job, at, kind, pages, position, most } = work;
  const none = new Map(pages.map(({ host }) => [host, 0]));
  const lanes = await fillLanes(db, { job, at, position }, none);
  const rows = new Map(
    pages.map((page, index) => {
      const place = position + index;
      const key = page.key ?? keyOfPlace(place);
      return [key, { page, values: [key, page.url, lanes.get(page.host) ?? null, page.depth, place] }];
    }),
  );
  // What is there already takes no room. Asked by a value and not by a join, which could be planned on a small table.
  const added = await db.all(sql`
    insert into job_pages (job, page_key, url, lane, depth, position, kind, state, run_at, attempts, losses)
    select
      ${job}, value->>0, value->>1, cast(value->>2 as bigint), cast(value->>3 as bigint), cast(value->>4 as bigint),
      ${KIND[kind]}, 0, 0, 0, 0
    from ${listed(
      db,
      [...rows.values()].map(({ values }) => values),
    )}
    where (select 1 from job_pages where job = ${job} and page_key = value->>0) is null
    order by cast(value->>4 as bigint)
    limit ${most}
    on conflict (job, page_key) do nothing
    returning page_key`);
  if (added.length === 0) return 0;

  const addedPages = added.flatMap((row) => rows.get(text(row.page_key))?.page ?? []);
  const counts = new Map<string, number>();
  for (const { host } of addedPages) counts.set(host, (counts.get(host) ?? 0) + 1);
  await fillLanes(db, { job, at, position }, counts);
  await countShapes(
    db,
    job,
    addedPages.flatMap(({ shape }) => shape ?? []),
  );
  return added.length;
}

/**
 * Keys in the order of the places, so that pages that are claimed together stand together: with five million waiting on
 * SQLite, a claim of 16 and its completion write 43 pages of the file, and 68 with keys such as 16, 160, 1600.
 */
function keyOfPlace(place: number): string {
  return String(place).padStart(8, '0');
}

/** Opens the lanes of these hosts, and counts more pages into them, none below the position. Gives the number of each. */
async function fillLanes(
  db: Database,
  { job, at, position }: { job: number; at: number; position: number },
  pages: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const rows = await db.all(sql`
    insert into job_lanes (job, host, waiting, running, ready_at, first_place)
    select ${job}, value->>0, cast(value->>1 as bigint), 0, null, cast(${position} as bigint) from ${listed(db, [...pages])} where true
    on conflict (job, host) do update set
      waiting = job_lanes.waiting + excluded.waiting,
      first_place = case
        when job_lanes.first_place < excluded.first_place then job_lanes.first_place else excluded.first_place
      end,
      ready_at = case
        when job_lanes.waiting + excluded.waiting = 0 or job_lanes.running >= ${LANE_CONCURRENCY} then null
        when job_lanes.ready_at < ${at} then job_lanes.ready_at
        when job_lanes.next_at > ${at} then job_lanes.next_at
        else ${at}
      end
    returning host, number`);
  return new Map(rows.map((row) => [text(row.host), integer(row.number)]));
}

/** Reports pages that will not be fetched, the first thousand of a job. */
export async function addRefused(db: Database, { job, at, refused }: Refusals): Promise<void> {
  if (refused.length === 0) return;
  const reported = await db.all(sql`
    select 1 from job_pages where job = ${job} and state >= ${raw(String(PAGE.failed))} limit ${MOST_REFUSED}`);
  await report(db, { job, at, refused: refused.slice(0, MOST_REFUSED - reported.length) });
}

/** Reports that pages were left out because there was no room for them in the queue: once for a job, with the first one. */
export async function addQueueFull(
  db: Database,
  { job, at, leftOut, queuedPages }: { job: number; at: number; leftOut: string; queuedPages: number },
): Promise<void> {
  const message = `Pages were left out, this one first: so many pages waited that there was no room for them (${queuedPages} by the plan when the job began). One that another page led to later was taken then.`;
  const error = { code: 'QUEUE_FULL', message };
  await report(db, { job, at, refused: [{ key: 'problem queue', url: leftOut, scrapeId: newId(), error }] });
}

interface Refusals {
  job: number;
  at: number;
  refused: readonly RefusedPage[];
}

/** One that is known already stays as it is. */
async function report(db: Database, { job, at, refused }: Refusals): Promise<void> {
  const rows = refused.map(({ key, url, scrapeId, error }) => [
    key,
    url,
    error === null ? PAGE.blocked : PAGE.failed,
    error === null ? null : scrapeId,
    error?.code ?? null,
    error?.message ?? null,
  ]);
  if (rows.length === 0) return;
  await db.run(sql`
    insert into job_pages (
      job, page_key, url, state, scrape_id, error_code, error_message, finished_at,
      kind, lane, depth, position, run_at, attempts, losses
    )
    select
      ${job}, value->>0, value->>1, cast(value->>2 as bigint), value->>3, value->>4, value->>5, ${at},
      0, 0, 0, 0, 0, 0, 0
    from ${listed(db, rows)} where true
    on conflict (job, page_key) do nothing`);
}

/** Takes for done what has been delivered under another address already, so that no link leads there again. */
export async function addAliases(
  db: Database,
  { job, at, pages }: { job: number; at: number; pages: readonly { key: string; url: string }[] },
): Promise<void> {
  if (pages.length === 0) return;
  await db.run(sql`
    insert into job_pages (
      job, page_key, url, state, finished_at, kind, lane, depth, position, run_at, attempts, losses
    )
    select ${job}, value->>0, value->>1, ${PAGE.done}, ${at}, 0, 0, 0, 0, 0, 0, 0
    from ${listed(
      db,
      pages.map(({ key, url }) => [key, url]),
    )} where true
    on conflict (job, page_key) do nothing`);
}
