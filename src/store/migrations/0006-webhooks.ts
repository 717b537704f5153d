import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** Webhooks of jobs, and their events. */
export const webhooks: Migration = {
  name: '0006-webhooks',

  async up(db: Database) {
    const { text, integer, strict } = columnTypes(db);

    // The secret that signs the team's webhooks; null until it is needed. Stored in clear text, because it is needed
    // for signing.
    await db.run(sql`alter table teams add column webhook_secret ${text}`);

    // At most one per job. Events are numbered from 0 and end in this order, so `delivered + failed` is the number of
    // the next event, due at run_at; null when all have ended. During a delivery, run_at is the end of its lease.
    // `claims` counts claims and so identifies the latest one.
    await db.run(sql`
      create table webhooks (
        job ${integer} primary key references jobs (number),
        team_id ${text} not null references teams (id),
        url ${text} not null,
        headers ${text} not null,
        metadata ${text} not null,
        events ${text} not null,
        total ${integer} not null,
        delivered ${integer} not null,
        failed ${integer} not null,
        closed ${integer} not null,
        claims ${integer} not null,
        run_at ${integer},
        last_error ${text}
      ) ${strict}`);
    await db.run(sql`create index webhooks_due on webhooks (run_at) where run_at is not null`);

    // State: 0 waiting, 1 delivered, 2 failed. The event of a page has its key and the number of its result; without a
    // result it failed.
    await db.run(sql`
      create table webhook_events (
        job ${integer} not null,
        seq ${integer} not null,
        id ${text} not null,
        type ${text} not null,
        page_key ${text},
        result ${integer},
        state ${integer} not null,
        attempts ${integer} not null,
        status ${integer},
        error ${text},
        created_at ${integer} not null,
        ended_at ${integer},
        primary key (job, seq)
      ) ${strict}`);
  },
};
