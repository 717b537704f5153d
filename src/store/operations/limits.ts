import type { Database } from '../database.ts';
import type { CountedRequest, WindowCount } from '../limits/limit-store.ts';
import { integer } from '../row.ts';
import { raw, sql } from '../sql.ts';

// Windows and slots are only in PostgreSQL; with SQLite, one process serves and keeps them in memory. All times are the
// database's, so the clocks of the machines need not agree, and each statement sees a single time.

const NOW = raw('(extract(epoch from now()) * 1000)::bigint');

/** Counts one request in its window, or in a new one if that has ended: one round trip, one row. */
export async function countRequest(
  db: Database,
  { subject, group, windowMs }: Omit<CountedRequest, 'limit'>,
): Promise<WindowCount> {
  const [row] = await db.all(sql`
    insert into rate_windows as running (subject, endpoint_group, requests, ends_at)
    values (${subject}, ${group}, 1, ${NOW} + ${windowMs})
    on conflict (subject, endpoint_group) do update set
      requests = case when running.ends_at <= ${NOW} then 1 else running.requests + 1 end,
      ends_at = case when running.ends_at <= ${NOW} then excluded.ends_at else running.ends_at end
    returning requests, ends_at - ${NOW} as ends_in`);
  return { requests: integer(row?.requests), endsIn: integer(row?.ends_in) };
}

export interface HeldSlot {
  subject: string;
  slot: number;
  /** Distinguishes this use of the slot from earlier and later ones. */
  lease: string;
}

/**
 * Takes the first free slot for `leaseMs`. Concurrent callers get different slots, because each skips the rows that
 * others have locked. Returns null if no slot is free.
 */
export async function takeSlot(
  db: Database,
  { subject, slots, lease, leaseMs }: { subject: string; slots: number; lease: string; leaseMs: number },
): Promise<HeldSlot | null> {
  const [row] = await db.all(sql`
    update work_places set lease = ${lease}, expires_at = ${NOW} + ${leaseMs}
    where subject = ${subject} and place = (
      select place from work_places
      where subject = ${subject} and place <= ${slots} and expires_at <= ${NOW}
      order by place limit 1 for update skip locked
    )
    returning place`);
  return row === undefined ? null : { subject, slot: integer(row.place), lease };
}

/** Adds rows for slots that have never been taken. */
export async function addSlots(db: Database, { subject, slots }: { subject: string; slots: number }): Promise<void> {
  await db.run(sql`
    insert into work_places (subject, place, lease, expires_at)
    select ${subject}, place, '', ${NOW} from generate_series(1, ${slots}) as place
    where ${slots} > (select count(*) from work_places where subject = ${subject} and place <= ${slots})
    on conflict (subject, place) do nothing`);
}

export async function renewSlot(
  db: Database,
  { subject, slot, lease, leaseMs }: HeldSlot & { leaseMs: number },
): Promise<void> {
  await db.run(sql`
    update work_places set expires_at = ${NOW} + ${leaseMs}
    where subject = ${subject} and place = ${slot} and lease = ${lease}`);
}

export async function releaseSlot(db: Database, { subject, slot, lease }: HeldSlot): Promise<void> {
  await db.run(sql`
    update work_places set expires_at = ${NOW}
    where subject = ${subject} and place = ${slot} and lease = ${lease}`);
}

export async function countSlots(db: Database, subject: string): Promise<number> {
  const [row] = await db.all(sql`
    select count(*) as taken from work_places where subject = ${subject} and expires_at > ${NOW}`);
  return integer(row?.taken);
}
