import type { Database } from '../../database.ts';
import { integer, nullable } from '../../row.ts';
import { sql } from '../../sql.ts';
import { type Added, addPages, addRefused, type NewPage, type RefusedPage } from './add-pages.ts';
import { lockTeam } from './ready.ts';
import { byIndexAlone } from './rows.ts';

export interface Work {
  job: number;
  teamId: string;
  pages: readonly NewPage[];
  /** How many more of the team may wait; null is as many as come. */
  inQueue: number | null;
  at: number;
}

/** Adds pages to a job that goes on, as far as there is room, and counts them for the job and the team. */
export async function addWork(db: Database, { job, teamId, pages, inQueue, at }: Work): Promise<Added> {
  const [row] = await db.all(sql`select total, page_room, sitemap_room from job_progress where job = ${job}`);
  const pageRoom = nullable(integer)(row?.page_room ?? null);
  const room = { pages: pageRoom, sitemaps: integer(row?.sitemap_room), inQueue };
  const added = await addPages(db, { job, at, pages, position: integer(row?.total), room });
  const more = added.pages + added.sitemaps;
  await db.run(sql`
    update job_progress set
      total = total + ${added.pages}, waiting = waiting + ${more},
      page_room = page_room - ${added.pages}, sitemap_room = sitemap_room - ${added.sitemaps},
      ready_at = case when running >= max_concurrency then null when ready_at < ${at} then ready_at else ${at} end
    where job = ${job}`);
  await db.run(sql`
    update job_teams set
      waiting = waiting + ${more}, ready_at = case when ready_at < ${at} then ready_at else ${at} end
    where team_id = ${teamId}`);
  return added;
}

export interface Discovery {
  teamId: string;
  job: number;
  found: readonly NewPage[];
  refused: readonly RefusedPage[];
  at: number;
}

/** Whether there is room for more, never again, or not before some pages of the team are done. */
export type RoomLeft = 'some' | 'none' | 'queue full';

/**
 * Adds what a page under way has told of so far; the same again changes nothing. Tells whether there is room for more:
 * there is none in a job that has ended. With a full queue some of what was found was left out, to be added later.
 */
export async function addFound(db: Database, { teamId, job, found, refused, at }: Discovery): Promise<RoomLeft> {
  const [, team] = await Promise.all([byIndexAlone(db), lockTeam(db, teamId)]);
  const [before] = await db.all(sql`
    select job_progress.status, jobs.queued_pages from job_progress join jobs on jobs.number = job_progress.job
    where job_progress.job = ${job}`);
  if (before?.status !== 'scraping') return 'none';
  const inQueue = roomInQueue(nullable(integer)(before.queued_pages), team.waiting);
  const { leftOut } = await addWork(db, { job, teamId, pages: found, inQueue, at });
  await addRefused(db, { job, at, refused });
  if (leftOut !== null) return 'queue full';
  const [after] = await db.all(sql`select page_room from job_progress where job = ${job}`);
  return nullable(integer)(after?.page_room ?? null) === 0 ? 'none' : 'some';
}

/** How many more pages of a team may wait; null is without a limit. */
export function roomInQueue(queuedPages: number | null, waiting: number): number | null {
  return queuedPages === null ? null : Math.max(0, queuedPages - waiting);
}
