import type { Database } from '../database.ts';
import { integer, nullable, text } from '../row.ts';
import { raw, sql } from '../sql.ts';
import { ADD_UP } from './charges.ts';
import { byIndexAlone } from './jobs/rows.ts';

// Keeps data that is reported forever in as few rows as the reports need.

/**
 * Folds the sums of a day and key into one row. Concurrent writers on PostgreSQL spread them over 16. Works on days before
 * `day`, on at most `limit` rows, and returns how many it removed.
 */
export async function foldUsageDays(db: Database, { day, limit }: { day: number; limit: number }): Promise<number> {
  await byIndexAlone(db);
  const rows = await db.all(sql`
    select team_id, day, key_id, shard from usage_days where shard > 0 and day < ${day} order by day limit ${limit}`);
  for (const row of rows) {
    const [sum] = await db.all(sql`
      delete from usage_days
      where team_id = ${text(row.team_id)} and day = ${integer(row.day)} and key_id = ${text(row.key_id)}
      and shard = ${integer(row.shard)}
      returning credits, tokens, last_success_at`);
    if (sum !== undefined) await addUsage(db, { ...row, ...sum, shard: 0 });
  }
  return rows.length;
}

/**
 * Removes keys that were revoked before `revokedBefore` if an older key of the team has the same name. Their usage moves
 * to that key, which changes no report, because reports add up keys of one name. The removed keys stay refused. Removes at
 * most `limit` keys and returns how many.
 */
export async function foldRevokedKeys(
  db: Database,
  { revokedBefore, limit }: { revokedBefore: number; limit: number },
): Promise<number> {
  await byIndexAlone(db);
  const older = raw('from api_keys as older where older.team_id = api_keys.team_id and older.name = api_keys.name');
  const keys = await db.all(sql`
    select id, team_id, hash, (select min(older.id) ${older}) as namesake from api_keys
    where revoked_at < ${revokedBefore} and exists (select 1 ${older} and older.id < api_keys.id)
    order by id limit ${limit}`);
  for (const key of keys) {
    const usage = await db.all(sql`
      delete from usage_days where team_id = ${text(key.team_id)} and key_id = ${text(key.id)}
      returning team_id, day, shard, credits, tokens, last_success_at`);
    for (const row of usage) await addUsage(db, { ...row, key_id: key.namesake });
    await db.run(sql`
      update scrapes set key_id = null where team_id = ${text(key.team_id)} and key_id = ${text(key.id)}`);
    await db.run(sql`insert into revoked_keys (hash) values (${text(key.hash)}) on conflict do nothing`);
    await db.run(sql`delete from api_keys where id = ${text(key.id)}`);
  }
  return keys.length;
}

async function addUsage(db: Database, row: Readonly<Record<string, unknown>>): Promise<void> {
  const lastSuccessAt = nullable(integer)(row.last_success_at ?? null);
  await db.run(sql`
    insert into usage_days (team_id, day, key_id, shard, credits, tokens, last_success_at) values (
      ${text(row.team_id)}, ${integer(row.day)}, ${text(row.key_id)}, ${integer(row.shard)}, ${integer(row.credits)},
      ${integer(row.tokens)}, ${lastSuccessAt}
    )
    ${ADD_UP}`);
}
