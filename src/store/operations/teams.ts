import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { addKey, type NewKey } from './keys.ts';

export interface NewTeam {
  id: string;
  name: string;
  plan: string;
  /** Billing periods begin on this moment's day of the month, UTC. */
  billingAnchor: number;
  createdAt: number;
}

/**
 * Makes a team with its first key, unless the team exists: then nothing happens. Tells whether it was made. Of several
 * at the same moment exactly one makes it, because the others wait for its row before they see that it exists.
 */
export async function makeTeam(db: Database, { team, key }: { team: NewTeam; key: NewKey }): Promise<boolean> {
  const made = await db.run(sql`
    insert into teams (id, name, plan, billing_anchor, created_at)
    values (${team.id}, ${team.name}, ${team.plan}, ${team.billingAnchor}, ${team.createdAt})
    on conflict (id) do nothing`);
  if (made === 0) return false;
  await addKey(db, key);
  return true;
}
