import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

/** Takes on what recurs, if it is due at `at`, and says when it is due again. Tells whether it is the caller's to do. */
export async function takeChore(
  db: Database,
  { name, at, againAt }: { name: string; at: number; againAt: number },
): Promise<boolean> {
  const taken = await db.run(sql`
    insert into chores (name, run_at) values (${name}, ${againAt})
    on conflict (name) do update set run_at = excluded.run_at where chores.run_at <= ${at}`);
  return taken > 0;
}
