import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Durable work: jobs, their pages by host, their results, and the workers. */
export const jobs: Migration = {
  name: '0005-jobs',

  async up(db: Database) {
    const { text, integer, bytes, strict } = columnTypes(db);
    const keyed = raw(db.dialect === 'sqlite' ? 'strict, without rowid' : '');
    // Numbers are never reused. They replace ids in every table with millions of rows: 8 bytes instead of 36, in each
    // index too.
    const number = raw(
      db.dialect === 'sqlite' ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key',
    );

    // The job as requested. Only the options change: they are erased when the job ends, because they can hold
    // passwords.
    await db.run(sql`
      create table jobs (
        number ${number},
        id ${text} not null unique,
        team_id ${text} not null references teams (id),
        key_id ${text},
        kind ${text} not null,
        api_version ${text} not null,
        options ${text},
        page_credits ${integer} not null,
        sets_aside ${integer} not null,
        keep_ms ${integer} not null,
        created_at ${integer} not null
      ) ${strict}`);
    // The progress of a job, in a small row because it changes with every few pages. Room: how many more pages may be
    // added; null is without a limit. Spare room: how many pages without a result may be replaced by others. Ready: the
    // earliest time at which a page may be claimed; null when none can until something else happens. Lanes and teams
    // have the same columns.
    await db.run(sql`
      create table job_progress (
        job ${integer} primary key references jobs (number),
        team_id ${text} not null,
        status ${text} not null,
        priority ${integer} not null,
        max_concurrency ${integer},
        delay ${integer} not null,
        total ${integer} not null,
        page_room ${integer},
        spare_room ${integer} not null,
        sitemap_room ${integer} not null,
        waiting ${integer} not null,
        running ${integer} not null,
        completed ${integer} not null,
        credits ${integer} not null,
        served_at ${integer} not null,
        ready_at ${integer},
        finished_at ${integer},
        expires_at ${integer}
      ) ${strict}`);
    await db.run(sql`create index job_progress_ready on job_progress (team_id, ready_at) where ready_at is not null`);
    await db.run(sql`create index job_progress_open on job_progress (team_id, job) where expires_at is null`);
    await db.run(sql`create index job_progress_by_expiry on job_progress (expires_at) where expires_at is not null`);

    // One row for each team that ever had a job. On PostgreSQL it is the lock for everything below: jobs, lanes, pages.
    await db.run(sql`
      create table job_teams (
        team_id ${text} primary key references teams (id),
        waiting ${integer} not null,
        running ${integer} not null,
        served_at ${integer} not null,
        ready_at ${integer}
      ) ${strict}`);

    // The pages of one job on one host. None is claimed before `next_at`, because the job has a delay of its own.
    await db.run(sql`
      create table job_lanes (
        number ${number},
        job ${integer} not null references jobs (number),
        host ${text} not null,
        waiting ${integer} not null,
        running ${integer} not null,
        ready_at ${integer},
        next_at ${integer} not null default 0,
        unique (job, host)
      ) ${strict}`);
    await db.run(sql`create index job_lanes_ready on job_lanes (job, ready_at) where ready_at is not null`);

    // State: 0 waiting, 1 leased, 2 done, 3 failed, 4 forbidden by robots.txt. Kind: 0 page, 1 sitemap. Keys are unique
    // within a job. Pages that were refused as soon as they were found are in lane 0.
    await db.run(sql`
      create table job_pages (
        job ${integer} not null,
        page_key ${text} not null,
        kind ${integer} not null,
        lane ${integer} not null,
        url ${text} not null,
        depth ${integer} not null,
        position ${integer} not null,
        state ${integer} not null,
        run_at ${integer} not null,
        attempts ${integer} not null,
        losses ${integer} not null,
        worker ${integer},
        scrape_id ${text},
        error_code ${text},
        error_message ${text},
        finished_at ${integer},
        primary key (job, page_key)
      ) ${keyed}`);
    await db.run(sql`create index job_pages_waiting on job_pages (lane, run_at, position) where state = 0`);
    await db.run(sql`create index job_pages_leased on job_pages (worker) where state = 1`);
    await db.run(sql`create index job_pages_errors on job_pages (job, finished_at) where state >= 3`);

    // Numbered from 0 in the order of completion. The key is that of the page's canonical address, and unique within a
    // job. The document is the last column, so that reading the others does not touch it.
    await db.run(sql`
      create table job_results (
        job ${integer} not null,
        seq ${integer} not null,
        size ${integer} not null,
        page_key ${text},
        document ${bytes} not null,
        primary key (job, seq)
      ) ${strict}`);

    await db.run(
      sql`create unique index job_results_by_page on job_results (job, page_key) where page_key is not null`,
    );

    // Requests with an idempotency key.
    await db.run(sql`
      create table job_requests (
        team_id ${text} not null,
        idempotency_key ${text} not null,
        request_hash ${text} not null,
        job ${integer} not null references jobs (number),
        primary key (team_id, idempotency_key)
      ) ${keyed}`);
    await db.run(sql`create index job_requests_by_job on job_requests (job)`);

    // Hosts with a delay, or that must not be contacted before a certain time. Others have no row.
    await db.run(sql`
      create table hosts (
        host ${text} primary key,
        next_at ${integer} not null,
        delay ${integer} not null
      ) ${strict}`);

    // Recurring work, and when it is next due. Of several processes, the one that moves the time forward runs it.
    await db.run(sql`create table chores (name ${text} primary key, run_at ${integer} not null) ${strict}`);

    // Processes that work on jobs. When a lease expires, the tasks of its worker are handed on.
    await db.run(sql`
      create table workers (
        number ${number},
        lease_until ${integer} not null
      ) ${strict}`);
    await db.run(sql`create index workers_by_lease on workers (lease_until)`);
  },
};
