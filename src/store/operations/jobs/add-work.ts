import type { Database } from '../../database.ts';
import { integer, nullable } from '../../row.ts';
import { sql } from '../../sql.ts';
import { addPages, addRefused, type NewPage, type RefusedPage } from './add-pages.ts';
import { lockTeam } from './ready.ts';
import { byIndexAlone } from './rows.ts';

/** Adds pages to a job that goes on, as far as there is room, and counts them for the job and the team. */
export async function addWork(
  db: Database,
  { job, teamId, pages, at }: { job: number; teamId: string; pages: readonly NewPage[]; at: number },
): Promise<void> {
  const [row] = await db.all(sql`select total, page_room, sitemap_room from job_progress where job = ${job}`);
  const room = { pages: nullable(integer)(row?.page_room ?? null), sitemaps: integer(row?.sitemap_room) };
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
}

export interface Discovery {
  teamId: string;
  job: number;
  found: readonly NewPage[];
  refused: readonly RefusedPage[];
  at: number;
}

/**
 * Adds what a page under way has told of so far; the same again changes nothing. Tells whether there is room for more:
 * there is none in a job that has ended.
 */
export async function addFound(db: Database, { teamId, job, found, refused, at }: Discovery): Promise<boolean> {
  await Promise.all([byIndexAlone(db), lockTeam(db, teamId)]);
  const room = sql`select page_room, status from job_progress where job = ${job}`;
  const [before] = await db.all(room);
  if (before?.status !== 'scraping') return false;
  await addWork(db, { job, teamId, pages: found, at });
  await addRefused(db, { job, at, refused });
  const [after] = await db.all(room);
  return nullable(integer)(after?.page_room ?? null) !== 0;
}
