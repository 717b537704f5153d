import type { Database } from '../database.ts';
import { text } from '../row.ts';
import { sql } from '../sql.ts';

/** The secret that was generated for this database; null if there is none. */
export async function findSecret(db: Database): Promise<string | null> {
  const [row] = await db.all(sql`select secret from generated_secrets where name = 'service'`);
  return row === undefined ? null : text(row.secret);
}

/** Returns the secret that all processes on this database share: the stored one, or else this one, which is stored. */
export async function shareSecret(db: Database, secret: string): Promise<string> {
  await db.run(sql`
    insert into generated_secrets (name, secret) values ('service', ${secret}) on conflict (name) do nothing`);
  const [row] = await db.all(sql`select secret from generated_secrets where name = 'service'`);
  return text(row?.secret);
}
