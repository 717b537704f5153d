import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

/** Asks the database for an answer. */
export async function ping(db: Database): Promise<void> {
  await db.all(sql`select 1`);
}
