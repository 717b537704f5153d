import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

/** Checks that the database answers. */
export async function ping(db: Database): Promise<void> {
  await db.all(sql`select 1`);
}

/** Checks that the database can write, which it cannot when its disk is full. */
export async function touch(db: Database, at: number): Promise<void> {
  await db.run(sql`
    insert into readiness (name, written_at) values ('ready', ${at})
    on conflict (name) do update set written_at = excluded.written_at`);
}
