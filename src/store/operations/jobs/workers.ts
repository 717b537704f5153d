import type { Database } from '../../database.ts';
import { integer, text } from '../../row.ts';
import { raw, sql } from '../../sql.ts';
import { type JobRef, listed, STATE, type TaskRole, toRole } from './rows.ts';

/** Adds a worker with a lease until `leaseUntil`. Returns its number. */
export async function addWorker(db: Database, leaseUntil: number): Promise<number> {
  const [row] = await db.all(sql`insert into workers (lease_until) values (${leaseUntil}) returning number`);
  return integer(row?.number);
}

/** Extends the worker's lease. Returns false if the worker was removed: its tasks have been handed on. */
export async function renewWorker(
  db: Database,
  { worker, leaseUntil }: { worker: number; leaseUntil: number },
): Promise<boolean> {
  return (await db.run(sql`update workers set lease_until = ${leaseUntil} where number = ${worker}`)) > 0;
}

/** Returns whether the worker still exists, and prevents its removal until this transaction ends. */
export async function lockWorker(db: Database, worker: number): Promise<boolean> {
  // Only the removal of the worker, and a search for all tasks that it holds, wait for this lock.
  const lock = raw(db.dialect === 'postgres' ? 'for key share' : '');
  return (await db.all(sql`select 1 from workers where number = ${worker} ${lock}`)).length > 0;
}

/** Waits for claims by this worker that are in progress. */
async function waitForClaims(db: Database, worker: number): Promise<void> {
  if (db.dialect === 'postgres') await db.all(sql`select 1 from workers where number = ${worker} for update`);
}

/** Removes a worker that holds nothing. */
export async function removeWorker(db: Database, worker: number): Promise<void> {
  await waitForClaims(db, worker);
  await db.run(sql`
    delete from workers where number = ${worker}
    and not exists (select 1 from job_tasks where worker = ${worker} and state = ${raw(String(STATE.leased))})`);
}

/** Whether any worker's lease is valid. */
export async function hasWorker(db: Database, at: number): Promise<boolean> {
  const rows = await db.all(sql`select 1 from workers where lease_until > ${at} limit 1`);
  return rows.length > 0;
}

export interface HeldTask extends JobRef {
  teamId: string;
  key: string;
  role: TaskRole;
  lane: number;
  losses: number;
}

/** A worker whose lease has expired, and some of the tasks it held; null if there is none except those in `leftOut`. */
export async function findLostWorker(
  db: Database,
  { at, limit, leftOut }: { at: number; limit: number; leftOut: readonly number[] },
): Promise<{ worker: number; tasks: HeldTask[] } | null> {
  const without = listed(
    db,
    leftOut.map((worker) => [worker]),
  );
  const [row] = await db.all(sql`
    select number from workers
    where lease_until <= ${at} and number not in (select cast(value->>0 as bigint) from ${without})
    order by lease_until limit 1`);
  if (row === undefined) return null;
  const worker = integer(row.number);
  return { worker, tasks: await listHeld(db, worker, limit) };
}

/** The tasks that a worker holds, including those of a claim whose response was lost. */
export async function findHeld(
  db: Database,
  { worker, limit }: { worker: number; limit: number },
): Promise<HeldTask[]> {
  await waitForClaims(db, worker);
  return listHeld(db, worker, limit);
}

async function listHeld(db: Database, worker: number, limit: number): Promise<HeldTask[]> {
  // The state is part of the statement's text: only then is the index of leased tasks used, whatever values are bound.
  const rows = await db.all(sql`
    select job_teams.team_id, team, job, task_key, role, lane, losses
    from job_tasks join job_teams on job_teams.number = job_tasks.team
    where worker = ${worker} and state = ${raw(String(STATE.leased))} limit ${limit}`);
  return rows.map((row) => ({
    teamId: text(row.team_id),
    team: integer(row.team),
    job: integer(row.job),
    key: text(row.task_key),
    role: toRole(row.role),
    lane: integer(row.lane),
    losses: integer(row.losses),
  }));
}
