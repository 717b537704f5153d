import type { Database } from '../database.ts';
import { integer, nullable, type Row, text } from '../row.ts';
import { sql } from '../sql.ts';

export interface NewKey {
  id: string;
  teamId: string;
  name: string;
  /** Of the key; the key itself is never stored. */
  hash: string;
  /** What may be shown of the key, for example `fc-1a2b…9f`. */
  hint: string;
  createdAt: number;
}

export interface StoredKey extends Omit<NewKey, 'hash'> {
  revokedAt: number | null;
}

/** A key with what a request has to know of its team. */
export interface KeyOwner {
  keyId: string;
  keyName: string;
  teamId: string;
  plan: string;
  revokedAt: number | null;
}

/** Adds a key, unless one of the same hash exists, revoked ones too. Tells whether it was added. */
export async function addKey(db: Database, key: NewKey): Promise<boolean> {
  const added = await db.run(sql`
    insert into api_keys (id, team_id, name, hash, hint, created_at)
    values (${key.id}, ${key.teamId}, ${key.name}, ${key.hash}, ${key.hint}, ${key.createdAt})
    on conflict (hash) do nothing`);
  return added > 0;
}

export async function findKey(db: Database, hash: string): Promise<KeyOwner | null> {
  const [row] = await db.all(sql`
    select api_keys.id, api_keys.name, api_keys.team_id, api_keys.revoked_at, teams.plan
    from api_keys join teams on teams.id = api_keys.team_id
    where api_keys.hash = ${hash}`);
  if (row === undefined) return null;
  return {
    keyId: text(row.id),
    keyName: text(row.name),
    teamId: text(row.team_id),
    plan: text(row.plan),
    revokedAt: nullable(integer)(row.revoked_at),
  };
}

/** Every key of a team, the oldest first, revoked ones too. */
export async function listKeys(db: Database, teamId: string): Promise<StoredKey[]> {
  const rows = await db.all(sql`
    select id, team_id, name, hint, created_at, revoked_at from api_keys where team_id = ${teamId} order by id`);
  return rows.map(toKey);
}

/** Revokes a key that is not revoked yet. Tells whether it did. */
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
    createdAt: integer(row.created_at),
    revokedAt: nullable(integer)(row.revoked_at),
  };
}
