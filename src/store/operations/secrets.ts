import type { Database } from '../database.ts';
import { text } from '../row.ts';
import { sql } from '../sql.ts';

/** Gives the secret that all processes on this database share: this one, unless there is another one already. */
export async function shareSecret(db: Database, secret: string): Promise<string> {
  await db.run(sql`
    insert into generated_secrets (name, secret) values ('service', ${secret}) on conflict (name) do nothing`);
  const [row] = await db.all(sql`select secret from generated_secrets where name = 'service'`);
  return text(row?.secret);
}
