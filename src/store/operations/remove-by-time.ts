import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { CHARGE_KINDS } from './charges.ts';
import { dueOfEachTeam, skipLocked } from './each-team.ts';
import { byIndexAlone } from './jobs/rows.ts';
import { removeDocuments } from './stored-document.ts';

// Removes rows that have expired. Each function removes at most `limit` rows and returns their number.

/** Removes scrapes that expired at `at` or before. */
export async function removeExpiredScrapes(
  db: Database,
  { at, limit }: { at: number; limit: number },
): Promise<number> {
  await byIndexAlone(db);
  const due = dueOfEachTeam(db, {
    table: raw('scrapes'),
    condition: sql`due.team_id = teams.id and due.expires_at <= ${at}`,
    order: raw('due.expires_at'),
    limit,
  });
  const removal = sql`delete from scrapes where (team_id, id) in (select due.team_id, due.id from ${due} limit ${limit})`;
  return removeDocuments(db, removal, raw('team_id'));
}

/** Removes cached pages that were stored before `storedBefore`. */
export async function removeOldPages(
  db: Database,
  { storedBefore, limit }: { storedBefore: number; limit: number },
): Promise<number> {
  await byIndexAlone(db);
  const due = dueOfEachTeam(db, {
    table: raw('pages'),
    condition: sql`due.team_id = teams.id and due.stored_at < ${storedBefore}`,
    order: raw('due.stored_at'),
    limit,
  });
  return db.run(
    sql`delete from pages where (team_id, key) in (select due.team_id, due.key from ${due} limit ${limit})`,
  );
}

/** Removes lines of the activity log with an id lower than `beforeId`: ids are ordered by time. */
export async function removeOldActivity(
  db: Database,
  { beforeId, limit }: { beforeId: string; limit: number },
): Promise<number> {
  await byIndexAlone(db);
  const due = dueOfEachTeam(db, {
    table: raw('activity'),
    condition: sql`due.team_id = teams.id and due.id < ${beforeId}`,
    order: raw('due.id'),
    limit,
  });
  return db.run(
    sql`delete from activity where (team_id, id) in (select due.team_id, due.id from ${due} limit ${limit})`,
  );
}

/** Removes ledger entries of work with an id lower than `beforeId`. The daily sums stay. */
export async function removeOldCharges(
  db: Database,
  { beforeId, limit }: { beforeId: string; limit: number },
): Promise<number> {
  await byIndexAlone(db);
  let removed = 0;
  for (const kind of CHARGE_KINDS) {
    const due = dueOfEachTeam(db, {
      table: raw('charges'),
      condition: sql`
        due.team_id = teams.id and due.charge_key >= ${`${kind}:`} and due.charge_key < ${`${kind}:${beforeId}`}`,
      order: raw('due.charge_key'),
      limit,
    });
    removed += await db.run(sql`
      delete from charges
      where (team_id, charge_key) in (select due.team_id, due.charge_key from ${due} limit ${limit - removed})`);
    if (removed === limit) break;
  }
  return removed;
}

/** Removes reservations that expired at `at` or before. Running work renews its reservation. */
export async function removeOldReservations(
  db: Database,
  { at, limit }: { at: number; limit: number },
): Promise<number> {
  return db.run(sql`
    delete from reservations where (team_id, id) in (
      select team_id, id from reservations where expires_at <= ${at} limit ${limit} ${skipLocked(db)}
    )`);
}

/** Removes the request counts of callers without a key for days before `day`. */
export async function removeKeylessDays(db: Database, { day, limit }: { day: number; limit: number }): Promise<number> {
  return db.run(sql`
    delete from keyless_days where (day, client) in (
      select day, client from keyless_days where day < ${day} limit ${limit} ${skipLocked(db)}
    )`);
}

/** Removes windows of requests that ended before `before`. */
export async function removeEndedWindows(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  // SQLite keeps them in memory.
  if (db.dialect === 'sqlite') return 0;
  return db.run(sql`
    delete from rate_windows where (subject, endpoint_group) in (
      select subject, endpoint_group from rate_windows where ends_at < ${before} limit ${limit} for update skip locked
    )`);
}

/** Removes slots that have not been taken since `before`. */
export async function removeOldSlots(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  if (db.dialect === 'sqlite') return 0;
  return db.run(sql`
    delete from work_places where (subject, place) in (
      select subject, place from work_places where expires_at < ${before} limit ${limit} for update skip locked
    )`);
}
