import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import { type JobRef, listed, ofJob } from './rows.ts';

/** What many addresses have in common, to count how many of them a job has. */
export interface TaskShape {
  key: string;
  /** What several shapes have in common. The shapes of each family are counted too. */
  family: string | null;
}

/**
 * Counts pages that were added to a job: each for its shape, and each new shape for its family. One statement, and
 * another one if a shape is new. There are never more rows than pages.
 */
export async function countShapes(db: Database, ref: JobRef, shapes: readonly TaskShape[]): Promise<void> {
  const pages = tally(shapes.map(({ key }) => key));
  const counts = await addCounts(db, ref, pages);
  // A count that equals what was just added was zero before.
  const isNew = (key: string) => counts.get(key) === pages.get(key);
  const families = new Map(shapes.filter(({ key }) => isNew(key)).map(({ key, family }) => [key, family]));
  await addCounts(db, ref, tally([...families.values()].filter((family) => family !== null)));
}

/** The number of pages of each shape in a job, and of shapes in each family. Leaves out those without any. */
export async function readShapes(
  db: Database,
  { keys, ...ref }: JobRef & { keys: readonly string[] },
): Promise<Map<string, number>> {
  // A subquery and not a join, which PostgreSQL might plan for a small table.
  const rows = await db.all(sql`
    select value->>0 as shape, (select tasks from job_shapes where ${ofJob(ref)} and shape = value->>0) as tasks
    from ${listed(
      db,
      keys.map((key) => [key]),
    )}`);
  return new Map(rows.flatMap(({ shape, tasks }) => (tasks === null ? [] : [[text(shape), integer(tasks)]])));
}

/** Returns the new counts. */
async function addCounts(
  db: Database,
  { team, job }: JobRef,
  more: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  if (more.size === 0) return new Map();
  const rows = await db.all(sql`
    insert into job_shapes (team, job, shape, tasks)
    select ${team}, ${job}, value->>0, cast(value->>1 as bigint) from ${listed(db, [...more])} where true
    on conflict (team, job, shape) do update set tasks = job_shapes.tasks + excluded.tasks
    returning shape, tasks`);
  return new Map(rows.map((row) => [text(row.shape), integer(row.tasks)]));
}

function tally(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
