import type { Database } from '../database.ts';
import { integer, text } from '../row.ts';
import { raw, sql } from '../sql.ts';
import { WITH_RESULT } from './artifacts.ts';
import { cancelOpenJob } from './jobs/cancel-job.ts';
import { findTeamNumber, lockTeam } from './jobs/ready.ts';
import { removeJob } from './jobs/remove-jobs.ts';
import { byIndexAlone } from './jobs/rows.ts';
import { removeDocuments } from './stored-document.ts';

/** What a team has stored. */
export interface TeamData {
  keys: number;
  jobs: number;
  runningJobs: number;
  /** The number of results, of scrapes and jobs. */
  results: number;
  /** Including artifacts. */
  resultBytes: number;
  cachedPages: number;
  cacheBytes: number;
  /** All credits that the team has ever used. */
  credits: number;
  /** Lines in the activity log. */
  calls: number;
}

export async function measureTeam(db: Database, teamId: string): Promise<TeamData> {
  const team = await findTeamNumber(db, teamId);
  const number = (expression: string) => raw(`cast(coalesce(${expression}, 0) as bigint)`);
  const [row] = await db.all(sql`
    select
      (select ${number('count(*)')} from api_keys where team_id = ${teamId} and revoked_at is null) as keys,
      (select ${number('count(*)')} from job_progress where team = ${team}) as jobs,
      (select ${number('count(*)')} from job_progress where team = ${team} and expires_at is null) as running_jobs,
      (select ${number('count(*)')} from scrapes where team_id = ${teamId}) as scrapes,
      (select ${number('sum(stored_size)')} from scrapes where team_id = ${teamId}) as scrape_bytes,
      (select ${number('sum(size)')} from artifacts where team_id = ${teamId} and expires_at < ${WITH_RESULT}) as artifact_bytes,
      (select ${number('sum(completed)')} from job_progress where team = ${team}) as documents,
      (select ${number('sum(stored_size)')} from job_progress where team = ${team}) as document_bytes,
      (select ${number('count(*)')} from pages where team_id = ${teamId}) as cached_pages,
      (select ${number('sum(stored_size)')} from pages where team_id = ${teamId}) as cache_bytes,
      (select ${number('sum(stored_size)')} from page_documents where team_id = ${teamId}) as cached_documents,
      (select ${number('sum(credits)')} from usage_days where team_id = ${teamId}) as credits,
      (select ${number('count(*)')} from activity where team_id = ${teamId}) as calls`);
  return {
    keys: integer(row?.keys),
    jobs: integer(row?.jobs),
    runningJobs: integer(row?.running_jobs),
    results: integer(row?.scrapes) + integer(row?.documents),
    resultBytes: integer(row?.scrape_bytes) + integer(row?.document_bytes) + integer(row?.artifact_bytes),
    cachedPages: integer(row?.cached_pages),
    cacheBytes: integer(row?.cache_bytes) + integer(row?.cached_documents),
    credits: integer(row?.credits),
    calls: integer(row?.calls),
  };
}

/** Marks a team as deleted: its keys are refused from now on. Returns whether the team exists. */
export async function markTeamDeleted(db: Database, { id, at }: { id: string; at: number }): Promise<boolean> {
  return (await db.run(sql`update teams set deleted_at = coalesce(deleted_at, ${at}) where id = ${id}`)) > 0;
}

/** A team that is marked as deleted but not yet removed; null if there is none. */
export async function findDeletedTeam(db: Database): Promise<string | null> {
  const [row] = await db.all(sql`select id from teams where deleted_at is not null order by deleted_at limit 1`);
  return row === undefined ? null : text(row.id);
}

export type DeletionState =
  | 'more'
  /** Tasks of the team are running. They end by themselves, within their time limit. */
  | 'waiting'
  | 'done';

/** The tables that refer to a team, other than those of its jobs and keys. */
const TABLES = [
  ['scrapes', 'id'],
  ['pages', 'key'],
  ['browser_profiles', 'name'],
  ['charges', 'charge_key'],
  ['activity', 'id'],
  ['reservations', 'id'],
  ['usage_days', 'day'],
] as const;

/**
 * Takes one step of deleting a team that is marked as deleted: cancels a job, or removes about `limit` rows, or the team
 * itself when nothing else is left. Each step starts from the beginning, so rows that arrived meanwhile are removed too.
 * Artifacts are left to the caller, because their bytes may be elsewhere.
 */
export async function deleteSomeOfTeam(
  db: Database,
  { teamId, at, limit }: { teamId: string; at: number; limit: number },
): Promise<DeletionState | 'artifacts'> {
  await byIndexAlone(db);
  const marked = await db.all(sql`select 1 from teams where id = ${teamId} and deleted_at is not null`);
  if (marked.length === 0) return 'done';
  const { team } = await lockTeam(db, teamId);
  const [open] = await db.all(sql`
    select job from job_progress where team = ${team} and expires_at is null order by job limit 1`);
  if (open !== undefined) {
    await cancelOpenJob(db, { teamId, team, job: integer(open.job), at });
    return 'more';
  }
  if (await hasTasksUnderWay(db, teamId, at)) return 'waiting';

  const [ended] = await db.all(sql`
    select job from job_progress where team = ${team} and expires_at is not null order by expires_at limit 1`);
  if (ended !== undefined) {
    await removeJob(db, { team, job: integer(ended.job), limit });
    return 'more';
  }
  if (await removeWebhooks(db, team, limit)) return 'more';
  for (const [table, key] of TABLES) {
    const removal = sql`
      delete from ${raw(table)} where team_id = ${teamId} and ${raw(key)} in (
        select ${raw(key)} from ${raw(table)} where team_id = ${teamId} limit ${limit}
      )`;
    const hasDocuments = table === 'scrapes';
    const removed = await (hasDocuments ? removeDocuments(db, removal, raw('team_id')) : db.run(removal));
    if (removed > 0) return 'more';
  }
  const artifacts = await db.all(sql`select 1 from artifacts where team_id = ${teamId} limit 1`);
  if (artifacts.length > 0) return 'artifacts';
  await db.run(sql`delete from api_keys where team_id = ${teamId}`);
  await db.run(sql`delete from schedules where team = ${team}`);
  await db.run(sql`delete from job_teams where number = ${team}`);
  await db.run(sql`delete from teams where id = ${teamId}`);
  return 'done';
}

/** Removes some webhooks whose subject is no job, with their events. Returns whether there were any. */
async function removeWebhooks(db: Database, team: number, limit: number): Promise<boolean> {
  const [webhook] = await db.all(sql`select number from webhooks where team = ${team} order by number limit 1`);
  if (webhook === undefined) return false;
  const events = sql`team = ${team} and webhook = ${integer(webhook.number)}`;
  const removed = await db.run(sql`
    delete from webhook_events where ${events}
    and seq in (select seq from webhook_events where ${events} limit ${limit})`);
  if (removed === 0)
    await db.run(sql`delete from webhooks where team = ${team} and number = ${integer(webhook.number)}`);
  return true;
}

/** Whether a live process works on tasks of the team. There is no need to wait for the tasks of a dead process. */
async function hasTasksUnderWay(db: Database, teamId: string, at: number): Promise<boolean> {
  const rows = await db.all(sql`
    select 1 from job_teams where team_id = ${teamId} and running > 0
    and exists (select 1 from workers where lease_until > ${at})`);
  return rows.length > 0;
}
