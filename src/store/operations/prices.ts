import type { Database } from '../database.ts';
import { integer, text } from '../row.ts';
import { sql } from '../sql.ts';

export interface StoredPrice {
  name: string;
  credits: number;
}

/** The operator's own prices, by name. */
export async function listPrices(db: Database): Promise<StoredPrice[]> {
  const rows = await db.all(sql`select name, credits from prices order by name`);
  return rows.map((row) => ({ name: text(row.name), credits: integer(row.credits) }));
}

export async function putPrice(db: Database, { name, credits }: StoredPrice): Promise<void> {
  await db.run(sql`
    insert into prices (name, credits) values (${name}, ${credits})
    on conflict (name) do update set credits = excluded.credits`);
}

/** Removes a price of the operator's. Returns whether there was one. */
export async function removePrice(db: Database, name: string): Promise<boolean> {
  return (await db.run(sql`delete from prices where name = ${name}`)) > 0;
}
