import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';
import { columnTypes, type Migration } from './migration.ts';

/** For retention: sizes by team, keys that are removed for good, teams that are being deleted. */
export const retention: Migration = {
  name: '0013-retention',

  async up(db: Database) {
    const { text, integer } = columnTypes(db);
    const keyed = raw(db.dialect === 'sqlite' ? 'strict, without rowid' : '');

    // Set when the team is to be deleted: its keys are refused from then on, and its data is removed in small steps.
    await db.run(sql`alter table teams add column deleted_at ${integer}`);

    // Each team has a share of the space, so the oldest rows are searched by team. The size is in the index too, so
    // that the sum over all rows only reads the index.
    await db.run(sql`drop index pages_by_age`);
    await db.run(sql`create index pages_by_team on pages (team_id, stored_at, stored_size)`);
    await db.run(sql`alter table scrapes add column stored_size ${integer} not null default 0`);
    await db.run(sql`update scrapes set stored_size = length(document) where document is not null`);
    await db.run(sql`drop index scrapes_by_expiry`);
    await db.run(sql`create index scrapes_by_team on scrapes (team_id, expires_at, stored_size)`);
    await db.run(sql`alter table job_progress add column stored_size ${integer} not null default 0`);
    await db.run(sql`
      update job_progress set stored_size = coalesce(
        (select cast(sum(length(document)) as bigint) from job_results where job_results.job = job_progress.job), 0
      )`);
    await db.run(sql`
      create index job_progress_by_team on job_progress (team_id, expires_at) where expires_at is not null`);

    // Without it, removing a key would read every scrape in search of references to it.
    await db.run(sql`create index scrapes_by_key on scrapes (key_id)`);
    // Finds keys with the same name.
    await db.run(sql`create index api_keys_by_name on api_keys (team_id, name, id)`);
    // Hashes of keys that were revoked long ago and whose rows were removed. They stay refused, also in TRAWL_API_KEY.
    await db.run(sql`create table revoked_keys (hash ${text} primary key) ${keyed}`);

    // Finds the sums that have not been folded into one row for each day and key.
    await db.run(sql`create index usage_days_in_shards on usage_days (day) where shard > 0`);

    // The public facts about a running job, as JSON. It is small, whereas the options can be megabytes. Erased together
    // with them.
    await db.run(sql`alter table jobs add column summary ${text}`);
    const asked = raw(
      db.dialect === 'sqlite'
        ? "json_object('url', json_extract(options, '$.options.url'), 'asked', json_object())"
        : "json_build_object('url', cast(options as json)->'options'->'url', 'asked', json_build_object())",
    );
    await db.run(sql`update jobs set summary = ${asked} where kind = 'crawl' and options is not null`);
  },
};
