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
  const lanes = await openLanes(db, job, [...new Set(pages.map(({ host }) => host))]);
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

  const counts = new Map<number, number>();
  for (const row of added) {
    const lane = integer(row.lane);
    counts.set(lane, (counts.get(lane) ?? 0) + 1);
  }
  await db.run(sql`
    update job_lanes set
      waiting = waiting + more.pages,
      ready_at = case
        when running >= ${LANE_CONCURRENCY} then null
        when ready_at < ${at} then ready_at
        else ${at}
      end
    from (
      select cast(value->>0 as bigint) as lane, cast(value->>1 as bigint) as pages from ${listed(db, [...counts])}
    ) as more
    where job_lanes.number = more.lane`);
  return added.length;
}

/** The number of each host's lane. */
async function openLanes(db: Database, job: number, hosts: readonly string[]): Promise<Map<string, number>> {
  // The update changes nothing: only so are the rows that exist given too.
  const rows = await db.all(sql`
    insert into job_lanes (job, host, waiting, running, ready_at)
    select ${job}, value->>0, 0, 0, null from ${listed(
      db,
      hosts.map((host) => [host]),
    )} where true
    on conflict (job, host) do update set waiting = job_lanes.waiting
    returning host, number`);
  return new Map(rows.map((row) => [text(row.host), integer(row.number)]));
}
