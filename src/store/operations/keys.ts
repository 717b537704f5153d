import type { Database } from '../database.ts';
import { integer, nullable, type Row, text } from '../row.ts';
import { sql } from '../sql.ts';

export interface NewKey {
  id: string;
  teamId: string;
  name: string;
  /** The hash of the key; the key itself is never stored. */
  hash: string;
  /** The part of the key that may be shown, for example `fc-1a2b…9f`. */
  hint: string;
  /** JSON array of the formats that the key may request; null allows all. */
  formats: string | null;
  /** JSON array of the groups of operations that the key may call; null allows all. */
  endpointGroups: string | null;
  createdAt: number;
}

export interface StoredKey extends Omit<NewKey, 'hash'> {
  revokedAt: number | null;
}

/** A key, with everything that a request needs to know about its team. */
export interface KeyOwner {
  keyId: string;
  keyName: string;
  formats: string | null;
  endpointGroups: string | null;
  teamId: string;
  plan: string;
  /** The operator's limits for the plan, as JSON; null for an unchanged built-in plan. */
  planLimits: string | null;
  billingAnchor: number;
  /** JSON array of networks (CIDR); null allows every address. */
  allowList: string | null;
  revokedAt: number | null;
}

/** Adds a key unless its hash is known, even from a revoked key. Returns whether it was added. */
export async function addKey(db: Database, key: NewKey): Promise<boolean> {
  const added = await db.run(sql`
    insert into api_keys (id, team_id, name, hash, hint, formats, endpoint_groups, created_at)
    select
      ${key.id}, ${key.teamId}, ${key.name}, ${key.hash}, ${key.hint}, ${key.formats}, ${key.endpointGroups},
      cast(${key.createdAt} as bigint)
    where not exists (select 1 from revoked_keys where revoked_keys.hash = ${key.hash})
    on conflict (hash) do nothing`);
  return added > 0;
}

export async function findKey(db: Database, hash: string): Promise<KeyOwner | null> {
  const [row] = await db.all(sql`
    select
      api_keys.id, api_keys.name, api_keys.formats, api_keys.endpoint_groups, api_keys.team_id, api_keys.revoked_at,
      teams.plan, teams.billing_anchor, teams.allow_list, plans.limits
    from api_keys join teams on teams.id = api_keys.team_id left join plans on plans.name = teams.plan
    where api_keys.hash = ${hash} and teams.deleted_at is null`);
  if (row === undefined) return null;
  return {
    keyId: text(row.id),
    keyName: text(row.name),
    formats: nullable(text)(row.formats),
    endpointGroups: nullable(text)(row.endpoint_groups),
    teamId: text(row.team_id),
    plan: text(row.plan),
    planLimits: nullable(text)(row.limits),
    billingAnchor: integer(row.billing_anchor),
    allowList: nullable(text)(row.allow_list),
    revokedAt: nullable(integer)(row.revoked_at),
  };
}

/** Every key of a team, oldest first, including revoked ones. */
export async function listKeys(db: Database, teamId: string): Promise<StoredKey[]> {
  const rows = await db.all(sql`
    select id, team_id, name, hint, formats, endpoint_groups, created_at, revoked_at
    from api_keys where team_id = ${teamId} order by id`);
  return rows.map(toKey);
}

/** Revokes an active key. Returns whether it did. */
export async function revokeKey(
  db: Database,
  { teamId, id, at }: { teamId: string; id: string; at: number },
): Promise<boolean> {
  const revoked = await db.run(sql`
    update api_keys set revoked_at = ${at} where team_id = ${teamId} and id = ${id} and revoked_at is null`);
  return revoked > 0;
}

function toKey(row: Row): StoredKey {
  return {
    id: text(row.id),
    teamId: text(row.team_id),
    name: text(row.name),
    hint: text(row.hint),
    formats: nullable(text)(row.formats),
    endpointGroups: nullable(text)(row.endpoint_groups),
    createdAt: integer(row.created_at),
    revokedAt: nullable(integer)(row.revoked_at),
  };
}
