import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

/** Asks the database for an answer. */
export async function ping(db: Database): Promise<void> {
  await db.all(sql`select 1`);
}

/** Writes something, which only a database with room on its disk can do. */
export async function touch(db: Database, at: number): Promise<void> {
  await db.run(sql`
    insert into readiness (name, written_at) values ('ready', ${at})
    on conflict (name) do update set written_at = excluded.written_at`);
}
