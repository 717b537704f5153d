import type { Database } from '../database.ts';
import { type Row, text } from '../row.ts';
import { sql } from '../sql.ts';

export interface StoredPlan {
  name: string;
  /** JSON. */
  limits: string;
}

/** The operator's own plans, by name. */
export async function listPlans(db: Database): Promise<StoredPlan[]> {
  const rows = await db.all(sql`select name, limits from plans order by name`);
  return rows.map(toPlan);
}

export async function findPlan(db: Database, name: string): Promise<StoredPlan | null> {
  const [row] = await db.all(sql`select name, limits from plans where name = ${name}`);
  return row === undefined ? null : toPlan(row);
}

/** Adds a plan, or replaces the one with this name. */
export async function putPlan(db: Database, { name, limits }: StoredPlan): Promise<void> {
  await db.run(sql`
    insert into plans (name, limits) values (${name}, ${limits})
    on conflict (name) do update set limits = excluded.limits`);
}

/** Removes a plan of the operator's. Removes one that teams are on only if `whileUsed`. Returns whether it did. */
export async function removePlan(
  db: Database,
  { name, whileUsed }: { name: string; whileUsed: boolean },
): Promise<boolean> {
  const removed = await db.run(sql`
    delete from plans where name = ${name}
    and (${Number(whileUsed)} = 1 or not exists (select 1 from teams where plan = ${name}))`);
  return removed > 0;
}

function toPlan(row: Row): StoredPlan {
  return { name: text(row.name), limits: text(row.limits) };
}
