import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { newId } from '../src/clock.ts';
import { backupStore } from '../src/store/copy/copy-store.ts';
import { describeStore, fileIn } from '../src/store/location.ts';
import { MIGRATIONS, migrate } from '../src/store/migrations/migrate.ts';
import type { StoreOptions } from '../src/store/open-store.ts';
import { raw, sql } from '../src/store/sql.ts';
import { FIRST_TEAM_ID } from '../src/team/keys.ts';
import { allDocuments, finishedBatch, startBatch } from './support/batch.ts';
import { dumpOf } from './support/dump.ts';
import { temporaryFolder } from './support/folder.ts';
import { heldPage } from './support/held-page.ts';
import { missingPostgres } from './support/postgres.ts';
import { runTrawl, startProcess } from './support/process.ts';
import { inTransaction } from './support/raw-database.ts';
import { startReceiver } from './support/receiver.ts';
import { settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const receiver = await shared(startReceiver());
const skip = (await missingPostgres()) ?? false;
const postgres = STORE_KINDS.find(({ name }) => name === 'PostgreSQL')?.create ?? assert.fail();

const run = (location: StoreOptions, ...args: string[]) => runTrawl(args, settingsOf(location));

async function done(location: StoreOptions, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(location, ...args);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  assert.match(stderr, /^(Using the .*\n)?$/, args.join(' '));
  return stdout;
}

async function refused(location: StoreOptions, args: string[], says: RegExp): Promise<void> {
  const { code, stderr } = await run(location, ...args);
  assert.equal(code, 1, stderr);
  assert.match(stderr, says);
  assert.doesNotMatch(stderr, /\n\s+at /);
}

/** Values that are easily altered on the way from one database to another. */
async function addOddRows(options: StoreOptions): Promise<void> {
  await inTransaction(options, async (db) => {
    for (const [name, bytes] of [
      ['', randomBytes(0)],
      ["'; drop table teams; -- \u{1f577} ä \u{feff}\t\n\\x00 {a,b}", randomBytes(3)],
      ['\u{ffff}', randomBytes(9 * 1024 * 1024)],
      ['\u{10ffff}', Buffer.from([0, 255, 92, 120])],
    ] as const) {
      await db.run(sql`
        insert into pages (
          team_id, key, stored_at, url, status, headers, content_type, is_text, proxy_used, size, stored_size, body
        ) values (
          ${FIRST_TEAM_ID}, ${`odd ${name}`}, 0, ${name}, 200, '{}', 'text/html', 1, 'basic', 1, 1, ${bytes}
        )`);
    }
    for (const tokens of ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0']) {
      await db.run(sql`
        insert into charges (team_id, charge_key, key_id, capability, job_id, credits, tokens, charged_at)
        values (${FIRST_TEAM_ID}, ${`scrape:${newId()}`}, null, 'scrape', null, 0, ${raw(tokens)}, 0)`);
    }
    for (let index = 0; index < 2_500; index++) {
      await db.run(sql`
        insert into activity (team_id, id, endpoint, api_version, created_at)
        values (${FIRST_TEAM_ID}, ${newId()}, 'scrape', 'v2', ${index})`);
    }
  });
}

const countersOf = ({ dataDir }: StoreOptions) => {
  const database = new DatabaseSync(fileIn(dataDir), { readOnly: true });
  try {
    return database.prepare('select name, seq from sqlite_sequence order by name').all();
  } finally {
    database.close();
  }
};

test('a store moves to PostgreSQL and back with every row, and its jobs continue', {
  skip,
  timeout: 300_000,
}, async () => {
  await using folder = await temporaryFolder();
  await using other = await postgres();
  const here = { dataDir: join(folder.path, 'here') };
  const back = { dataDir: join(folder.path, 'back') };

  const held = heldPage(site, '/held');
  const page = site.page('/page', html('<h1>Ümläut \u{1f577}</h1>'));
  const later = [1, 2, 3].map((index) => site.page(`/later/${index}`, html(`<h1>${index}</h1>`)));
  let id: string;
  {
    await using trawl = await startProcess({ TRAWL_DATA_DIR: here.dataDir });
    await trawl.scrape(page);
    assert.equal((await trawl.post('/v2/scrape', { url: 'http://127.0.0.1:1/' })).status, 502);
    await trawl.scrape(page, { zeroDataRetention: true });
    const body = { urls: [page, held.address, ...later], maxConcurrency: 1, webhook: receiver.url('/moved') };
    ({ id } = await startBatch(trawl, body));
    await held.reached;
    await trawl.stop('SIGKILL');
  }
  await addOddRows(here);
  // As if the 10-second lease had expired.
  await inTransaction(here, async (db) => {
    await db.run(sql`update workers set lease_until = 0`);
  });

  const told = await done(here, 'move', '--to', other.options.databaseUrl ?? '');
  assert.ok(told.includes(describeStore(here)) && told.includes(describeStore(other.options)), told);
  assert.doesNotMatch(told, /postgres:\/\//);
  const original = await dumpOf(here);
  assert.ok((original.job_tasks?.length ?? 0) === 5 && (original.activity?.length ?? 0) > 2_500);
  // On SQLite the secret is in a file beside the database.
  const secret = (await readFile(join(here.dataDir, 'secret'), 'utf8')).trim();
  const moved = await dumpOf(other.options);
  assert.ok(moved.generated_secrets?.[0]?.includes(secret));
  assert.deepEqual({ ...moved, generated_secrets: [] }, original);
  await done(other.options, 'move', '--to', back.dataDir);
  assert.deepEqual(await dumpOf(back), original);
  assert.equal((await readFile(join(back.dataDir, 'secret'), 'utf8')).trim(), secret);
  assert.deepEqual(countersOf(back), countersOf(here));

  const isEnd = ({ event }: { event: { type: string } }) => event.type === 'batch_scrape.completed';
  for (const [index, location] of [other.options, back].entries()) {
    await using trawl = await startTrawl(settingsOf(location));
    held.release();
    const batch = await finishedBatch(trawl, id);
    assert.deepEqual([batch.status, batch.completed, batch.creditsUsed], ['completed', 5, 5]);
    assert.equal((await trawl.scrape(page)).metadata.cacheState, 'hit');
    await receiver.until((received) => received.filter(isEnd).length === index + 1, '/moved');
    // Sequences continue where they left off.
    await finishedBatch(trawl, (await startBatch(trawl, { urls: later })).id);
  }
});

for (const { name, skip: missing, create } of STORE_KINDS) {
  describe(`copies of a store in ${name}`, { skip: missing }, () => {
    test('a backup is made while the service runs, and can be restored into either database', {
      timeout: 300_000,
    }, async () => {
      await using location = await create();
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'trawl-backup.db');
      const urls = Array.from({ length: 40 }, (_, index) => site.page(`/backup/${index}`, html(`<h1>${index}</h1>`)));
      const held = heldPage(site, `/backup/held-${name}`);
      let finished: string;
      let running: string;
      {
        await using trawl = await startTrawl(settingsOf(location.options));
        finished = (await startBatch(trawl, { urls })).id;
        await finishedBatch(trawl, finished);
        running = (await startBatch(trawl, { urls: [held.address, ...urls] })).id;
        await held.reached;
        const told = await done(location.options, 'backup', file);
        assert.ok(told.includes(describeStore(location.options)) && told.includes(file), told);
        await refused(location.options, ['backup', file], /The file .*trawl-backup\.db already exists/);
        held.release();
        await finishedBatch(trawl, running);
      }
      assert.deepEqual(await readdir(folder.path), ['trawl-backup.db']);
      assert.equal((await stat(file)).mode & 0o777, 0o600);

      for (const kind of STORE_KINDS.filter((one) => one.skip === false)) {
        await using fresh = await kind.create();
        const told = await done(fresh.options, 'restore', file);
        assert.ok(told.includes(describeStore(fresh.options)) && told.includes(file), told);
        await refused(fresh.options, ['restore', file], /already exists.*Copies never overwrite anything/);
        // The worker from that moment is gone.
        await inTransaction(fresh.options, async (db) => {
          await db.run(sql`update workers set lease_until = 0`);
        });
        await using trawl = await startTrawl(settingsOf(fresh.options));
        assert.equal((await allDocuments(trawl, finished)).length, 40);
        const batch = await finishedBatch(trawl, running);
        assert.deepEqual([batch.status, batch.completed], ['completed', 41]);
      }
    });

    test('a move is refused while a service runs, and into a store that is not empty', async () => {
      await using location = await create();
      await using folder = await temporaryFolder();
      const target = join(folder.path, 'data');
      {
        await using _trawl = await startTrawl(settingsOf(location.options));
        await refused(location.options, ['move', '--to', target], /A service or a worker uses the .*Stop it first/);
      }
      await done(location.options, 'move', '--to', target);
      await refused(location.options, ['move', '--to', target], /The file .*trawl\.db already exists/);
      const { code, stderr } = await run(location.options, 'move', '--to', 'mysql://nowhere');
      assert.equal(code, 2, stderr);
    });

    test('a copy that fails half-way leaves nothing behind', async () => {
      await using folder = await temporaryFolder();
      await using location = await create();
      const source = { dataDir: join(folder.path, 'source') };
      {
        await using _trawl = await startTrawl(settingsOf(source));
      }
      // U+0000, which PostgreSQL cannot store and the service never writes.
      await inTransaction(source, async (db) => {
        await db.run(raw("insert into plans (name, limits) values ('odd' || char(0), '{}')"));
      });
      await refused(
        location.options,
        ['restore', fileIn(source.dataDir)],
        /The copy of the table plans .*The copy was discarded/,
      );
      assert.ok((await readdir(source.dataDir)).every((name) => /^(secret|trawl\.db(-wal|-shm)?)$/.test(name)));
      {
        await using trawl = await startTrawl(settingsOf(location.options));
        await trawl.scrape(site.page('/after', html('<h1>Here</h1>')));
      }
    });

    test('a backup with an older schema is migrated; one with a newer schema is refused with its version', async () => {
      await using folder = await temporaryFolder();
      const old = { dataDir: folder.path };
      await inTransaction(old, async (db) => {
        await migrate(db, MIGRATIONS.slice(0, 1));
        await db.run(sql`insert into teams (id, name, plan, created_at) values ('team', 'old', 'unlimited', 1)`);
      });
      const file = join(folder.path, 'old.db');
      await backupStore(old, file, () => {});
      {
        await using location = await create();
        await done(location.options, 'restore', file);
        assert.match(await done(location.options, 'teams', 'list'), /team +unlimited +1 .* old/);
      }
      await inTransaction(old, async (db) => {
        await db.run(sql`insert into trawl_migrations (name, applied_at) values ('9999-from-the-future', 1)`);
      });
      await using location = await create();
      await refused(
        location.options,
        ['restore', fileIn(old.dataDir)],
        /newer version of Trawl \(9999-from-the-future\)/,
      );
      await refused(location.options, ['restore', join(folder.path, 'no.db')], /There is no file .*no\.db/);
      await writeFile(
        join(folder.path, 'text.db'),
        'This is no database, and it is long enough to be read as one.'.repeat(50),
      );
      await refused(location.options, ['restore', join(folder.path, 'text.db')], /is not a database/);
    });
  });
}
