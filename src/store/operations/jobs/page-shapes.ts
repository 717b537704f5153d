import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import { listed } from './rows.ts';

/** What many addresses have in common, for whoever wants to know how many of them a job has. */
export interface PageShape {
  key: string;
  /** What several shapes have in common: how many of them there are is counted too. */
  family: string | null;
}

/**
 * Counts pages that were added to a job: each for its shape, and each new shape for its family. One statement, and another
 * one when a shape is new. There are as many rows as pages at the most.
 */
export async function countShapes(db: Database, job: number, shapes: readonly PageShape[]): Promise<void> {
  const pages = tally(shapes.map(({ key }) => key));
  const counts = await addCounts(db, job, pages);
  // A count that is what was added now was none before.
  const isNew = (key: string) => counts.get(key) === pages.get(key);
  const families = new Map(shapes.filter(({ key }) => isNew(key)).map(({ key, family }) => [key, family]));
  await addCounts(db, job, tally([...families.values()].filter((family) => family !== null)));
}

/** How many pages of each shape a job has, and how many shapes of each family; those without one are left out. */
export async function readShapes(
  db: Database,
  { job, keys }: { job: number; keys: readonly string[] },
): Promise<Map<string, number>> {
  // Asked by a value and not by a join, which could be planned on a small table.
  const rows = await db.all(sql`
    select value->>0 as shape, (select pages from job_shapes where job = ${job} and shape = value->>0) as pages
    from ${listed(
      db,
      keys.map((key) => [key]),
    )}`);
  return new Map(rows.flatMap(({ shape, pages }) => (pages === null ? [] : [[text(shape), integer(pages)]])));
}

/** Gives the counts as they are then. */
async function addCounts(db: Database, job: number, more: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  if (more.size === 0) return new Map();
  const rows = await db.all(sql`
    insert into job_shapes (job, shape, pages)
    select ${job}, value->>0, cast(value->>1 as bigint) from ${listed(db, [...more])} where true
    on conflict (job, shape) do update set pages = job_shapes.pages + excluded.pages
    returning shape, pages`);
  return new Map(rows.map((row) => [text(row.shape), integer(row.pages)]));
}

function tally(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
