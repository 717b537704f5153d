import type { Compressed } from '../compression.ts';
import type { Database } from '../database.ts';
import { bytes, integer } from '../row.ts';
import { raw, sql } from '../sql.ts';
import { dueOfEachTeam } from './each-team.ts';
import { byIndexAlone } from './jobs/rows.ts';

export interface ProfileName {
  teamId: string;
  name: string;
}

/** One writer of a profile. */
export interface ProfileLock extends ProfileName {
  lock: string;
}

/** The saved state of a profile; null if there is none. */
export async function findProfile(
  db: Database,
  { teamId, name }: ProfileName,
): Promise<{ state: Compressed; usedAt: number } | null> {
  const [row] = await db.all(sql`
    select state, size, used_at from browser_profiles where team_id = ${teamId} and name = ${name} and size is not null`);
  if (row === undefined) return null;
  return { state: { bytes: bytes(row.state), size: integer(row.size) }, usedAt: integer(row.used_at) };
}

/** Records that a profile is used. */
export async function touchProfile(db: Database, { teamId, name, at }: ProfileName & { at: number }): Promise<void> {
  await db.run(sql`
    update browser_profiles set used_at = ${at} where team_id = ${teamId} and name = ${name} and used_at < ${at}`);
}

/**
 * Makes the lock the only writer of a profile until a moment, and makes the profile if there is none.
 *
 * @param limit how many profiles a team may have
 * @returns `busy` while another lock is in force, `full` when the team has as many profiles as it may
 */
export async function lockProfile(
  db: Database,
  { teamId, name, lock, at, until, limit }: ProfileLock & { at: number; until: number; limit: number },
): Promise<'locked' | 'busy' | 'full'> {
  // Otherwise two new profiles would not count each other.
  if (db.dialect === 'postgres') await db.all(sql`select 1 from teams where id = ${teamId} for no key update`);
  // A process that was killed leaves a row without a state.
  const [others] = await db.all(sql`
    select count(*) as number from browser_profiles
    where team_id = ${teamId} and name <> ${name} and (size is not null or locked_until > ${at})`);
  if (integer(others?.number) >= limit) return 'full';
  const locked = await db.run(sql`
    insert into browser_profiles (team_id, name, used_at, lock_id, locked_until)
    values (${teamId}, ${name}, ${at}, ${lock}, ${until})
    on conflict (team_id, name) do update set
      used_at = excluded.used_at, lock_id = excluded.lock_id, locked_until = excluded.locked_until
    where browser_profiles.lock_id is null or browser_profiles.lock_id = excluded.lock_id
      or browser_profiles.locked_until <= ${at}`);
  return locked > 0 ? 'locked' : 'busy';
}

/** Saves the state. Returns false if another writer has taken over the profile, or it was deleted. */
export async function saveProfile(
  db: Database,
  { teamId, name, lock, at, state }: ProfileLock & { at: number; state: Compressed },
): Promise<boolean> {
  const saved = await db.run(sql`
    update browser_profiles set used_at = ${at}, size = ${state.size}, state = ${state.bytes}
    where team_id = ${teamId} and name = ${name} and lock_id = ${lock}`);
  return saved > 0;
}

/** Ends the lock, and removes a profile that never got a state. */
export async function releaseProfile(db: Database, { teamId, name, lock }: ProfileLock): Promise<void> {
  const locked = sql`team_id = ${teamId} and name = ${name} and lock_id = ${lock}`;
  await db.run(sql`delete from browser_profiles where ${locked} and size is null`);
  await db.run(sql`update browser_profiles set lock_id = null, locked_until = null where ${locked}`);
}

/** Removes at most `limit` profiles that were last used before `usedBefore`. Returns their number. */
export async function removeUnusedProfiles(
  db: Database,
  { usedBefore, limit }: { usedBefore: number; limit: number },
): Promise<number> {
  await byIndexAlone(db);
  const due = dueOfEachTeam(db, {
    table: raw('browser_profiles'),
    condition: sql`due.team_id = teams.id and due.used_at < ${usedBefore}`,
    order: raw('due.used_at'),
    limit,
  });
  return db.run(sql`
    delete from browser_profiles where (team_id, name) in (select due.team_id, due.name from ${due} limit ${limit})`);
}
