import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { finishedBatch, startBatch } from './support/batch.ts';
import { startBreakableRelay } from './support/breakable-relay.ts';
import { temporaryFolder } from './support/folder.ts';
import { heldPage } from './support/held-page.ts';
import { createDatabase, missingPostgres } from './support/postgres.ts';
import { runTrawl, startCommand, startProcess } from './support/process.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { openStream, streamedSources } from './support/stream.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const words = 'Quokkas nibble on pandanus leaves at dusk';
const url = site.page('/quokka', html(`<h1>Rottnest</h1><p>${words}.</p>`));

describe('the service on PostgreSQL', { skip: (await missingPostgres()) ?? false }, () => {
  test('scrapes, serves the cached copy, and returns the result again', async () => {
    await using database = await createDatabase();
    await using trawl = await startTrawl({ DATABASE_URL: database.url });
    const first = await trawl.scrape(url);
    assert.equal(first.metadata.cacheState, 'miss');
    assert.ok(first.markdown?.includes(words));
    const second = await trawl.scrape(url);
    assert.equal(second.metadata.cacheState, 'hit');
    assert.equal(second.markdown, first.markdown);
    const { body } = await trawl.get(`/v2/scrape/${first.metadata.scrapeId}`);
    assert.deepEqual(body.data, first);
  });

  test('shares keys and cache between all processes on one database', async () => {
    await using database = await createDatabase();
    const settings = { DATABASE_URL: database.url };
    const [one, other] = await Promise.all([startTrawl(settings), startTrawl(settings)]);
    try {
      await one.scrape(url);
      const { metadata } = await other.scrape(url, { lockdown: true });
      assert.equal(metadata.cacheState, 'hit');
      const key = (await runTrawl(['keys', 'create', 'laptop'], settings)).stdout.trim();
      await one.scrape(url, {}, { key });
      await other.scrape(url, {}, { key });
      await runTrawl(['keys', 'revoke', 'laptop'], settings);
      assert.equal((await one.refusal({ url }, { key })).status, 401);
      assert.equal((await other.refusal({ url }, { key })).status, 401);
    } finally {
      await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
    }
  });

  test('keeps acknowledged results through kill -9', async () => {
    await using database = await createDatabase();
    await using folder = await temporaryFolder();
    const settings = { DATABASE_URL: database.url, TRAWL_DATA_DIR: folder.path };
    await using first = await startProcess(settings);
    const document = await first.scrape(url);
    await first.stop('SIGKILL');
    await using second = await startProcess(settings);
    const { body } = await second.get(`/v2/scrape/${document.metadata.scrapeId}`);
    assert.deepEqual(body.data, document);
  });

  test('keeps nothing with zero data retention', async () => {
    await using database = await createDatabase();
    await using trawl = await startTrawl({ DATABASE_URL: database.url });
    const { metadata } = await trawl.scrape(url, { zeroDataRetention: true, excludeTags: ['.wombat'] });
    const rows = await everyRow(database.url);
    assert.ok(rows.includes(metadata.scrapeId));
    for (const trace of ['quokka', new URL(url).host, 'wombat']) assert.ok(!rows.includes(trace), trace);
    await trawl.scrape(url);
    assert.ok((await everyRow(database.url)).includes('quokka'), 'otherwise the address is found this way');
  });

  test('resumes a batch after a database outage, and charges each page once', async () => {
    await using database = await createDatabase();
    await using relay = await startBreakableRelay(database.url);
    await using trawl = await startTrawl({ DATABASE_URL: relay.url });
    const released = Promise.withResolvers<void>();
    let reached = 0;
    const allReached = Promise.withResolvers<void>();
    const urls = Array.from({ length: 8 }, (_, index) =>
      site.page(`/away/${index}`, async (_request, response) => {
        reached += 1;
        if (reached === 8) allReached.resolve();
        await released.promise;
        response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>Here</h1>'));
      }),
    );
    const { id } = await startBatch(trawl, { urls, maxAge: 0, storeInCache: false });
    await allReached.promise;
    relay.cut();
    released.resolve();
    assert.equal((await trawl.get('/ready', { key: null })).status, 503);
    relay.mend();
    const done = await finishedBatch(trawl, id);
    assert.deepEqual([done.status, done.completed, done.creditsUsed], ['completed', 8, 8]);
  });

  test('does everything once when the acknowledgement of a commit is lost', async () => {
    await using database = await createDatabase();
    await using relay = await startBreakableRelay(database.url);
    await using trawl = await startTrawl({ DATABASE_URL: relay.url });
    const pages = Array.from({ length: 24 }, (_, index) => site.page(`/once/${index}`, html(`<h1>Page ${index}</h1>`)));
    // Each time the first commit is lost, and some later ones.
    const losing = async <Answer>(asking: () => Promise<Answer>) => {
      const before = relay.lostCommits();
      relay.loseCommits(1);
      const answer = asking();
      while (relay.lostCommits() === before) await sleep(1);
      relay.loseCommits(4);
      return answer;
    };

    const { metadata } = await losing(() => trawl.scrape(url, { maxAge: 0 }));
    const { id } = await losing(() => startBatch(trawl, { urls: pages.slice(0, 16), maxAge: 0 }));
    await losing(() => startBatch(trawl, { urls: pages.slice(16), appendToId: id }));
    const done = await finishedBatch(trawl, id);
    assert.deepEqual(done.data.map(({ metadata }) => metadata.sourceURL).sort(), [...pages].sort());
    assert.deepEqual([done.status, done.completed, done.creditsUsed], ['completed', 24, 24]);
    const charged = await rowsIn({ databaseUrl: database.url, dataDir: '' }, 'select job_id from charges');
    assert.equal(charged.filter((row) => row.job_id === metadata.scrapeId).length, 1);
    assert.equal(charged.length, 25);
    assert.equal((await rowsIn({ databaseUrl: database.url, dataDir: '' }, 'select id from jobs')).length, 1);
  });

  test('waits for its database at the start, and exits at once when the address can never work', async () => {
    await using database = await createDatabase();
    await using relay = await startBreakableRelay(database.url);
    relay.cut();
    await using folder = await temporaryFolder();
    const settings = { DATABASE_URL: relay.url, TRAWL_DATA_DIR: folder.path, TRAWL_LOG_LEVEL: 'warn' };
    await using early = await startCommand(['api'], { ...settings, PORT: '0' }, /Waiting for it/);
    await using worker = await startCommand(['worker'], settings, /Waiting for it/);
    relay.mend();
    await Promise.all([early.line(/Trawl listens on/), worker.line(/Trawl works on jobs/)]);

    const missing = new URL(database.url);
    missing.pathname = '/no_such_database';
    const { code, stderr } = await runTrawl(['api'], { ...settings, DATABASE_URL: missing.href });
    assert.equal(code, 1);
    assert.match(stderr, /database "no_such_database" does not exist/);
  });

  test('resumes a job stream after a database outage', async () => {
    await using database = await createDatabase();
    await using relay = await startBreakableRelay(database.url);
    await using trawl = await startTrawl({ DATABASE_URL: relay.url });
    const held = heldPage(site, '/streamed');
    const { url: address } = await startBatch(trawl, { urls: [held.address], maxAge: 0, storeInCache: false });
    await held.reached;
    const stream = openStream(address);
    await stream.until(1);
    relay.cut();
    held.release();
    // The others ask at most four times a second. By then the stream, which polls twice a second, was refused too.
    for (const before = relay.refused(); relay.refused() < before + 10; ) await sleep(10);
    relay.mend();
    assert.deepEqual((await stream.ended).code, 1000);
    assert.deepEqual(streamedSources(stream.messages), [held.address]);
  });

  test('reports that it is not ready during a database outage, and recovers afterwards', async () => {
    await using database = await createDatabase();
    await using relay = await startBreakableRelay(database.url);
    await using trawl = await startTrawl({ DATABASE_URL: relay.url });
    assert.equal((await trawl.get('/ready', { key: null })).status, 200);
    relay.cut();
    const ready = await trawl.get('/ready', { key: null });
    assert.equal(ready.status, 503);
    assert.equal(ready.body.code, 'STORE_UNAVAILABLE');
    assert.equal(ready.headers.get('retry-after'), '5');
    assert.equal((await trawl.get('/health', { key: null })).status, 200);
    const refusal = await trawl.refusal({ url });
    assert.deepEqual({ status: refusal.status, code: refusal.code }, { status: 503, code: 'STORE_UNAVAILABLE' });
    relay.mend();
    assert.equal((await trawl.get('/ready', { key: null })).status, 200);
    await trawl.scrape(url);
  });
});

/** All rows of all tables, as text. */
async function everyRow(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select row_to_json(t)::text as text from "${name}" t`);
      texts.push(...rows.map(({ text }) => text));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
