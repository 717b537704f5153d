import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import { LANE_CONCURRENCY, listed } from './rows.ts';

export interface NewPage {
  /** Of a job no key comes twice. Null: as many times as it is given. */
  key: string | null;
  url: string;
  /** What is asked politely as one: host and port. */
  host: string;
  /** Links between the start and here. */
  depth: number;
}

/**
 * Adds pages to a job, those left out whose key is there, and opens their lanes. Tells how many were added. The counters
 * of job and team are the caller's to change.
 *
 * @param position of the first page: within a host those with a lower one go first
 */
export async function addPages(
  db: Database,
  { job, at, pages, position }: { job: number; at: number; pages: readonly NewPage[]; position: number },
): Promise<number> {
  if (pages.length === 0) return 0;
  const none = new Map(pages.map(({ host }) => [host, 0]));
  const lanes = await fillLanes(db, job, at, none);
  const rows = pages.map(({ key, url, host, depth }, index) => {
    const place = position + index;
    return [key ?? String(place), url, lanes.get(host) ?? null, depth, place];
  });
  const added = await db.all(sql`
    insert into job_pages (job, page_key, url, lane, depth, position, state, run_at, attempts, losses)
    select
      ${job}, value->>0, value->>1, cast(value->>2 as bigint), cast(value->>3 as bigint), cast(value->>4 as bigint),
      0, 0, 0, 0
    from ${listed(db, rows)} where true
    on conflict (job, page_key) do nothing
    returning lane`);

  const hostOf = new Map([...lanes].map(([host, lane]) => [lane, host]));
  const counts = new Map<string, number>();
  for (const row of added) {
    const host = hostOf.get(integer(row.lane)) ?? '';
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  if (added.length > 0) await fillLanes(db, job, at, counts);
  return added.length;
}

/** Opens the lanes of these hosts, and counts more pages into them. Gives the number of each. */
async function fillLanes(
  db: Database,
  job: number,
  at: number,
  pages: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const rows = await db.all(sql`
    insert into job_lanes (job, host, waiting, running, ready_at)
    select ${job}, value->>0, cast(value->>1 as bigint), 0, null from ${listed(db, [...pages])} where true
    on conflict (job, host) do update set
      waiting = job_lanes.waiting + excluded.waiting,
      ready_at = case
        when job_lanes.waiting + excluded.waiting = 0 or job_lanes.running >= ${LANE_CONCURRENCY} then null
        when job_lanes.ready_at < ${at} then job_lanes.ready_at
        else ${at}
      end
    returning host, number`);
  return new Map(rows.map((row) => [text(row.host), integer(row.number)]));
}
