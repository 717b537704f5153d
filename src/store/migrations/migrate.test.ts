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
import { MIGRATIONS, migrate } from './migrate.ts';
import type { Migration } from './migration.ts';

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
    test('gets the steps that are missing, in order and once', async () => {
      await using place = await create();
      await makeSchema(place.options);
      for (let time = 0; time < 2; time++) {
        await inTransaction(place.options, (db) => migrate(db, [...MIGRATIONS, NOTES, LINES]));
      }
      await inTransaction(place.options, async (db) => {
        assert.deepEqual(await linesOf(db), ['from the second step']);
      });
    });

    test('keeps what the first version has stored: billing periods begin on the day when the team was made', async () => {
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

    test('keeps for whom scrapes were made when that moves to the activity log', async () => {
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

    test('has nothing of any step when one of them fails', async () => {
      await using place = await create();
      await makeSchema(place.options);
      await assert.rejects(inTransaction(place.options, (db) => migrate(db, [...MIGRATIONS, NOTES, BROKEN])));
      await inTransaction(place.options, (db) => migrate(db, [...MIGRATIONS, NOTES]));
      await inTransaction(place.options, async (db) => {
        assert.deepEqual(await linesOf(db), []);
      });
    });

    test('of a newer version is refused with what to do, and left as it is', async () => {
      await using place = await create();
      await makeSchema(place.options);
      // The older version is at it when the newer one comes.
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
