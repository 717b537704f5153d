import type { Database } from '../database.ts';
import { integer, nullable, type Row, text } from '../row.ts';
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

export interface StoredTeam extends NewTeam {
  /** JSON array of networks (CIDR); null allows every address. */
  allowList: string | null;
  /** When it was marked as deleted. Its data is being removed. */
  deletedAt: number | null;
}

/**
 * Creates a team with its first key, unless the team exists. Returns whether it was created. Among concurrent callers
 * exactly one creates it: the others wait for its row and then see that it exists.
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

/** Every team, oldest first. */
export async function listTeams(db: Database): Promise<StoredTeam[]> {
  const rows = await db.all(sql`
    select id, name, plan, billing_anchor, allow_list, created_at, deleted_at from teams order by created_at, id`);
  return rows.map(toTeam);
}

/** The team with this id, or null. */
export async function findTeam(db: Database, id: string): Promise<StoredTeam | null> {
  const [row] = await db.all(sql`
    select id, name, plan, billing_anchor, allow_list, created_at, deleted_at from teams where id = ${id}`);
  return row === undefined ? null : toTeam(row);
}

/** Changes the given fields of a team. Returns whether the team exists. */
export async function changeTeam(
  db: Database,
  { id, plan, billingAnchor, allowList }: { id: string } & Partial<StoredTeam>,
): Promise<boolean> {
  const changed = await db.run(sql`
    update teams set
      plan = coalesce(${plan ?? null}, plan),
      billing_anchor = coalesce(${billingAnchor ?? null}, billing_anchor),
      allow_list = case when ${Number(allowList === undefined)} = 1 then allow_list else ${allowList ?? null} end
    where id = ${id}`);
  return changed > 0;
}

function toTeam(row: Row): StoredTeam {
  return {
    id: text(row.id),
    name: text(row.name),
    plan: text(row.plan),
    billingAnchor: integer(row.billing_anchor),
    allowList: nullable(text)(row.allow_list),
    createdAt: integer(row.created_at),
    deletedAt: nullable(integer)(row.deleted_at),
  };
}
