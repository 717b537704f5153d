import type { Database } from '../database.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** What teams use: charges and their sums, reservations, plans, prices, the activity log, restrictions of keys. */
export const usage: Migration = {
  name: '0002-usage',

  async up(db: Database) {
    const { text, integer, strict } = columnTypes(db);
    // Rows that are only found by their primary key are stored in its order, without a second tree.
    const keyed = raw(db.dialect === 'sqlite' ? 'strict, without rowid' : '');

    // Billing periods begin on this moment's day of the month, UTC.
    await db.run(sql`alter table teams add column billing_anchor ${integer} not null default 0`);
    await db.run(sql`update teams set billing_anchor = created_at`);
    // JSON array of networks in CIDR notation; null allows every address.
    await db.run(sql`alter table teams add column allow_list ${text}`);

    // JSON arrays of names; null allows all.
    await db.run(sql`alter table api_keys add column formats ${text}`);
    await db.run(sql`alter table api_keys add column endpoint_groups ${text}`);
    await allowNoKey(db, text);

    // The operator's own plans, including changed built-in ones. Limits are JSON.
    await db.run(sql`create table plans (name ${text} primary key, limits ${text} not null) ${strict}`);
    // The operator's own prices, in credits, which override the built-in ones.
    await db.run(sql`create table prices (name ${text} primary key, credits ${integer} not null) ${strict}`);

    // The ledger: never changed, never removed. A second charge with the same key is ignored. Keys that begin with a
    // kind and a time-ordered id put new rows next to each other.
    await db.run(sql`
      create table charges (
        team_id ${text} not null references teams (id),
        charge_key ${text} not null,
        key_id ${text},
        capability ${text} not null,
        job_id ${text},
        credits ${integer} not null,
        tokens ${integer} not null,
        charged_at ${integer} not null,
        primary key (team_id, charge_key)
      ) ${keyed}`);
    // Daily sums of the ledger (days since the epoch, UTC). Reports read only these: periods begin at midnight, so they
    // consist of whole days whatever the anchor is. Without a key, key_id is ''. Concurrent writers add to different
    // shards, because a row stays locked until its commit is on disk.
    await db.run(sql`
      create table usage_days (
        team_id ${text} not null,
        day ${integer} not null,
        key_id ${text} not null,
        shard ${integer} not null,
        credits ${integer} not null,
        tokens ${integer} not null,
        primary key (team_id, day, key_id, shard)
      ) ${keyed}`);
    // Credits reserved for work whose price is known only at its end.
    await db.run(sql`
      create table reservations (
        team_id ${text} not null references teams (id),
        id ${text} not null,
        credits ${integer} not null,
        created_at ${integer} not null,
        expires_at ${integer} not null,
        primary key (team_id, id)
      ) ${keyed}`);

    // Kept longer than the results. Ids are time-ordered. The target is null under zero data retention.
    await db.run(sql`
      create table activity (
        team_id ${text} not null references teams (id),
        id ${text} not null,
        endpoint ${text} not null,
        api_version ${text} not null,
        target ${text},
        key_id ${text},
        origin ${text},
        integration ${text},
        created_at ${integer} not null,
        primary key (team_id, id)
      ) ${keyed}`);
    await db.run(sql`create index activity_by_endpoint on activity (team_id, endpoint, id)`);
  },
};

/** A call may come without a key. SQLite before 3.53, which older releases of Node 24 have, cannot alter a column. */
async function allowNoKey(db: Database, text: Sql): Promise<void> {
  if (db.dialect === 'postgres') {
    await db.run(sql`alter table scrapes alter column key_id drop not null`);
    return;
  }
  await db.run(sql`alter table scrapes rename column key_id to given_key_id`);
  await db.run(sql`alter table scrapes add column key_id ${text} references api_keys (id)`);
  await db.run(sql`update scrapes set key_id = given_key_id`);
  await db.run(sql`alter table scrapes drop column given_key_id`);
}
