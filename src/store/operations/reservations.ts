import type { Database } from '../database.ts';
import { integer } from '../row.ts';
import { sql } from '../sql.ts';
import { addCharge, type Charge } from './charges.ts';

/** Days since the epoch, UTC: from the first one until just before `endDay`. */
export interface DaySpan {
  firstDay: number;
  endDay: number;
}

export interface Balance {
  /** Credits charged in the requested days. */
  used: number;
  /** Credits reserved for running work. */
  reserved: number;
}

export interface NewReservation {
  teamId: string;
  id: string;
  credits: number;
  createdAt: number;
  expiresAt: number;
}

/**
 * The credits that a team has used in a span of days, and those reserved at `at`. Reads sums: a few rows per day and
 * key.
 */
export async function readBalance(
  db: Database,
  { teamId, span, at }: { teamId: string; span: DaySpan; at: number },
): Promise<Balance> {
  const [row] = await db.all(sql`
    select
      (
        select cast(coalesce(sum(credits), 0) as bigint) from usage_days
        where team_id = ${teamId} and day >= ${span.firstDay} and day < ${span.endDay}
      ) as used,
      (
        select cast(coalesce(sum(credits), 0) as bigint) from reservations
        where team_id = ${teamId} and expires_at > ${at}
      ) as reserved`);
  return { used: integer(row?.used), reserved: integer(row?.reserved) };
}

/**
 * Reserves credits if the team has them: used, reserved and requested credits together must not exceed `limit`.
 * Repeating it with the same id changes nothing. Returns whether the credits are reserved, and the balance before.
 */
export async function reserve(
  db: Database,
  { reservation, span, limit }: { reservation: NewReservation; span: DaySpan; limit: number },
): Promise<{ reserved: boolean; balance: Balance }> {
  const { teamId, id, credits, createdAt, expiresAt } = reservation;
  // Concurrent reservations have to see each other. This lock still lets rows of other tables refer to the team. SQLite
  // has only one writer.
  if (db.dialect === 'postgres') await db.all(sql`select 1 from teams where id = ${teamId} for no key update`);
  await db.run(sql`delete from reservations where team_id = ${teamId} and expires_at <= ${createdAt}`);
  const balance = await readBalance(db, { teamId, span, at: createdAt });
  const [existing] = await db.all(sql`select 1 from reservations where team_id = ${teamId} and id = ${id}`);
  if (existing !== undefined) return { reserved: true, balance };
  if (balance.used + balance.reserved + credits > limit) return { reserved: false, balance };
  await db.run(sql`
    insert into reservations (team_id, id, credits, created_at, expires_at)
    values (${teamId}, ${id}, ${credits}, ${createdAt}, ${expiresAt})`);
  return { reserved: true, balance };
}

/** Charges what the work cost and releases its reservation: both or neither. Returns whether this call charged it. */
export async function settle(
  db: Database,
  { charge, reservationId }: { charge: Charge; reservationId: string | null },
): Promise<boolean> {
  if (reservationId !== null) await release(db, { teamId: charge.teamId, id: reservationId });
  return addCharge(db, charge);
}

/** Releases a reservation. Returns whether there was one. */
export async function release(db: Database, { teamId, id }: { teamId: string; id: string }): Promise<boolean> {
  return (await db.run(sql`delete from reservations where team_id = ${teamId} and id = ${id}`)) > 0;
}
