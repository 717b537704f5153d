import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inTransaction } from '../../../test/support/raw-database.ts';
import { newScrape } from '../../../test/support/store-rows.ts';
import { STORE_KINDS } from '../../../test/support/stores.ts';
import { TrawlError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { openStore, type StoreOptions } from '../open-store.ts';
import { text } from '../row.ts';
import { sql } from '../sql.ts';
import { auditNames } from './0009-audit-names.ts';
import { progress } from './0011-progress.ts';
import { seals } from './0012-seals.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import type { Migration } from './migration.ts';

const DAY_MS = 86_400_000;

const NOTES: Migration = {
  name: '9001-notes',
  async up(db) {
    await db.run(sql`create table notes (line text not null)`);
  },
};
const LINES: Migration = {
  name: '9002-lines',
  async up(db) {
    await db.run(sql`insert into notes values ('from the second step')`);
  },
};
const BROKEN: Migration = {
  name: '9002-broken',
  async up(db) {
    await db.run(sql`insert into notes values ('of a step that fails')`);
    await db.run(sql`insert into no_such_table values (1)`);
  },
};

for (const { name, skip, create } of STORE_KINDS) {
  describe(`the schema in ${name}`, { skip }, () => {
    test('gets the missing steps, in order and once', async () => {
      await using place = await create();
      await makeSchema(place.options);
      for (let time = 0; time < 2; time++) {
        await inTransaction(place.options, (db) => migrate(db, [...MIGRATIONS, NOTES, LINES]));
      }
      await inTransaction(place.options, async (db) => {
        assert.deepEqual(await linesOf(db), ['from the second step']);
      });
    });

    test('keeps the data of the first version: billing periods begin on the day when the team was created', async () => {
      await using place = await create();
      await inTransaction(place.options, async (db) => {
        await migrate(db, MIGRATIONS.slice(0, 1));
        await db.run(
          sql`insert into teams (id, name, plan, created_at) values ('team', 'first', 'unlimited', 1706659200000)`,
        );
        await db.run(sql`
          insert into api_keys (id, team_id, name, hash, hint, created_at) values ('key', 'team', 'laptop', 'hash', '…', 1)`);
        await db.run(sql`
          insert into scrapes (id, team_id, key_id, outcome, credits, created_at, duration, expires_at)
          values ('scrape', 'team', 'key', 'completed', 1, 1, 1, 9000000000000)`);
      });
      const store = await openStore(place.options);
      try {
        const owner = await store.keys.find('hash');
        assert.equal(owner?.billingAnchor, 1706659200000);
        assert.deepEqual([owner.formats, owner.endpointGroups, owner.allowList], [null, null, null]);
        assert.equal((await store.scrapes.get('team', 'scrape'))?.outcome, 'completed');
        await store.scrapes.record(newScrape({ teamId: 'team', keyId: null }));
        await assert.rejects(store.scrapes.record(newScrape({ teamId: 'team', keyId: 'no key' })), {
          kind: 'reference',
        });
      } finally {
        await store.close();
      }
      await inTransaction(place.options, async (db) => {
        const rows = await db.all(sql`select key_id from scrapes where id = 'scrape'`);
        assert.deepEqual(
          rows.map((row) => text(row.key_id)),
          ['key'],
        );
      });
    });

    test('keeps on whose behalf scrapes were made when this moves to the activity log', async () => {
      await using place = await create();
      await inTransaction(place.options, async (db) => {
        await migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(auditNames)));
        await db.run(
          sql`insert into teams (id, name, plan, created_at, billing_anchor) values ('t', 'first', 'free', 1, 1)`,
        );
        for (const [id, username] of [
          ['one', 'ada'],
          ['two', null],
        ] as const) {
          await db.run(sql`
            insert into scrapes (id, team_id, audit_username, outcome, credits, created_at, duration, expires_at)
            values (${id}, 't', ${username}, 'completed', 1, 1, 1, 9000000000000)`);
          await db.run(sql`
            insert into activity (team_id, id, endpoint, api_version, created_at) values ('t', ${id}, 'scrape', 'v2', 1)`);
        }
      });
      await makeSchema(place.options);
      await inTransaction(place.options, async (db) => {
        const rows = await db.all(sql`select audit_username from activity order by id`);
        assert.deepEqual(
          rows.map((row) => row.audit_username),
          ['ada', null],
        );
      });
    });

    test('counts earlier failures, and keeps the last success of each team', async () => {
      await using place = await create();
      await inTransaction(place.options, async (db) => {
        await migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(progress)));
        await db.run(
          sql`insert into teams (id, name, plan, created_at, billing_anchor) values ('t', 'first', 'free', 1, 1)`,
        );
        await db.run(sql`
          insert into jobs (id, team_id, kind, api_version, page_credits, sets_aside, keep_ms, created_at)
          values ('j', 't', 'crawl', 'v2', 1, 0, 1, 1)`);
        await db.run(sql`
          insert into job_progress (
            job, team_id, status, priority, delay, total, spare_room, sitemap_room, waiting, running, completed, credits,
            served_at
          ) select number, 't', 'scraping', 0, 0, 4, 0, 0, 0, 0, 1, 1, 0 from jobs`);
        for (const [key, kind, lane, state] of [
          ['done', 0, 1, 2],
          ['failed', 0, 1, 3],
          ['blocked', 0, 1, 4],
          ['refused when it was found', 0, 0, 3],
          ['sitemap', 1, 1, 3],
          ['waiting', 0, 1, 0],
        ] as const) {
          await db.run(sql`
            insert into job_pages (job, page_key, kind, lane, url, depth, position, state, run_at, attempts, losses)
            select number, ${key}, ${kind}, ${lane}, '', 0, 0, ${state}, 0, 0, 0 from jobs`);
        }
        for (const [key, at] of [
          ['map:1', DAY_MS + 9],
          ['page:b:1', DAY_MS + 7],
          ['scrape:a', DAY_MS + 3],
          ['scrape:0', 5],
        ] as const) {
          await db.run(sql`
            insert into charges (team_id, charge_key, capability, credits, tokens, charged_at)
            values ('t', ${key}, 'any', 1, 0, ${at})`);
        }
        for (const day of [0, 1]) {
          await db.run(sql`
            insert into usage_days (team_id, day, key_id, shard, credits, tokens) values ('t', ${day}, '', 0, 2, 0)`);
        }
      });
      const store = await openStore(place.options);
      try {
        assert.equal((await store.jobs.find('t', 'crawl', 'j'))?.failed, 2);
        assert.equal(await store.usage.lastSuccess('t'), DAY_MS + 7);
      } finally {
        await store.close();
      }
    });

    test('keeps the webhooks of running jobs when their targets become one value', async () => {
      await using place = await create();
      await inTransaction(place.options, async (db) => {
        await migrate(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(seals)));
        await db.run(sql`
          insert into teams (id, name, plan, created_at, billing_anchor, webhook_secret) values ('t', 'first', 'free', 1, 1, 'whsec_YQ==')`);
        for (const [job, closed, delivered] of [
          [1, 0, 0],
          [2, 1, 1],
        ] as const) {
          await db.run(sql`
            insert into jobs (id, team_id, kind, api_version, page_credits, sets_aside, keep_ms, created_at, options)
            values (${`job ${job}`}, 't', 'batch', 'v2', 1, 0, 1000, 1, '{"of": "before"}')`);
          await db.run(sql`
            insert into webhooks (job, team_id, url, headers, metadata, events, total, delivered, failed, closed, claims, run_at)
            values (
              ${job}, 't', 'https://example.org/', '{"x-own":"1"}', '{"order":7}', 'started', 1, ${delivered}, 0,
              ${closed}, 0, ${closed === 1 ? null : 1}
            )`);
          await db.run(sql`
            insert into webhook_events (job, seq, id, type, state, attempts, created_at)
            values (${job}, 0, ${`event ${job}`}, 'started', ${closed}, 0, 1)`);
        }
      });
      const store = await openStore(place.options);
      try {
        const claim = { at: 2, limit: 10, leaseUntil: 3, perTeam: 10, underWay: [] };
        const [event, ...others] = await store.webhooks.claim(claim);
        assert.deepEqual(
          [event?.subjectId, event?.url, event?.headers, event?.metadata],
          ['job 1', 'https://example.org/', '{"x-own":"1"}', '{"order":7}'],
        );
        assert.deepEqual(others, []);
        assert.ok(event && event.job !== null);
        assert.equal((await store.jobs.work({ ...event, job: event.job }))?.options, '{"of": "before"}');
      } finally {
        await store.close();
      }
      await inTransaction(place.options, async (db) => {
        const rows = await db.all(sql`select job from webhooks where target = ''`);
        assert.deepEqual(
          rows.map(({ job }) => Number(job)),
          [2],
        );
      });
    });

    test('has no part of any step if one of them fails', async () => {
      await using place = await create();
      await makeSchema(place.options);
      await assert.rejects(inTransaction(place.options, (db) => migrate(db, [...MIGRATIONS, NOTES, BROKEN])));
      await inTransaction(place.options, (db) => migrate(db, [...MIGRATIONS, NOTES]));
      await inTransaction(place.options, async (db) => {
        assert.deepEqual(await linesOf(db), []);
      });
    });

    test('of a newer version is refused with a remedy, and left unchanged', async () => {
      await using place = await create();
      await makeSchema(place.options);
      // The older version is using it when the newer one arrives.
      await inTransaction(place.options, (db) => migrate(db, [...MIGRATIONS, NOTES]));
      await assert.rejects(openStore(place.options), (error) => {
        assert.ok(error instanceof TrawlError);
        assert.equal(error.code, 'STORE_UNAVAILABLE');
        assert.match(error.message, /newer version of Trawl \(9001-notes\).*TRAWL_DATA_DIR or DATABASE_URL/);
        return true;
      });
    });
  });
}

async function makeSchema(options: StoreOptions): Promise<void> {
  const store = await openStore(options);
  await store.close();
}

async function linesOf(db: Database): Promise<string[]> {
  return (await db.all(sql`select line from notes`)).map((row) => text(row.line));
}
