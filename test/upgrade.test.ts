import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { newId, now } from '../src/clock.ts';
import { crawlBody, toCrawl } from '../src/contract/v2/crawl.ts';
import { compress } from '../src/store/compression.ts';
import { MIGRATIONS, migrate } from '../src/store/migrations/migrate.ts';
import type { StoreOptions } from '../src/store/open-store.ts';
import { raw, sql } from '../src/store/sql.ts';
import { FIRST_TEAM_ID } from '../src/team/keys.ts';
import { finishedBatch, startBatch } from './support/batch.ts';
import { crawl, finishedCrawl } from './support/crawl.ts';
import { inTransaction } from './support/raw-database.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { KEY, startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const SECOND_KEY = 'fc-00112233445566778899aabbccddeeff';

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
const upTo = (name: string) => MIGRATIONS.slice(0, MIGRATIONS.findIndex((one) => one.name === name) + 1);

/** A store as the first version left it, with a team, two keys, a cached page and scrapes. */
async function makeFirstStore(options: StoreOptions, scrapeId: string): Promise<void> {
  const metadata = {
    ...{ statusCode: 200, sourceURL: 'https://a.test/', url: 'https://a.test/', contentType: 'text/html' },
    ...{ scrapeId, proxyUsed: 'basic', cacheState: 'miss', creditsUsed: 1 },
  };
  const document = { markdown: '# From the first version', metadata };
  const kept = await compress(JSON.stringify(document));
  await inTransaction(options, async (db) => {
    await migrate(db, upTo('0001-foundation'));
    await db.run(sql`
      insert into teams (id, name, plan, created_at) values (${FIRST_TEAM_ID}, 'default', 'unlimited', ${now() - 1000})`);
    for (const [id, key, revokedAt] of [
      ['one', KEY, null],
      ['two', SECOND_KEY, now()],
    ] as const) {
      await db.run(sql`
        insert into api_keys (id, team_id, name, hash, hint, created_at, revoked_at)
        values (${id}, ${FIRST_TEAM_ID}, ${id}, ${hashOf(key)}, 'fc-0…', 1, ${revokedAt})`);
    }
    await db.run(sql`
      insert into pages (
        team_id, key, stored_at, url, status, headers, content_type, is_text, proxy_used, size, stored_size, body
      ) values (
        ${FIRST_TEAM_ID}, 'of the first version', ${now()}, 'https://a.test/', 200, '{}', 'text/html', 1, 'basic',
        ${kept.size}, ${kept.bytes.byteLength}, ${kept.bytes}
      )`);
    for (const [id, outcome, bytes] of [
      [scrapeId, 'completed', kept.bytes],
      [newId(), 'failed', null],
    ] as const) {
      await db.run(sql`
        insert into scrapes (
          id, team_id, key_id, url, origin, integration, audit_username, options, outcome, error_code, error_message, credits,
          created_at, duration, expires_at, document_size, document
        ) values (
          ${id}, ${FIRST_TEAM_ID}, 'one', 'https://a.test/', 'api', null, null, '{}', ${outcome}, null, null, 1, ${now()}, 12,
          ${now() + 3_600_000}, ${kept.size}, ${bytes}
        )`);
    }
  });
}

/** A running crawl as the previous version left it: its start page is done, and two pages are waiting. */
async function addCrawlUnderWay(options: StoreOptions, id: string, urls: readonly string[]): Promise<void> {
  const body = { url: site.url('/'), sitemap: 'skip', limit: 10, scrapeOptions: { maxAge: 0 } };
  const stored = toCrawl(crawlBody.parse(body), {});
  const [job, lane] = [raw('(select max(number) from jobs)'), raw('(select max(number) from job_lanes)')];
  await inTransaction(options, async (db) => {
    await db.run(sql`
      insert into jobs (id, team_id, key_id, kind, api_version, options, page_credits, sets_aside, keep_ms, created_at)
      values (
        ${id}, ${FIRST_TEAM_ID}, null, 'crawl', 'v2', ${JSON.stringify(stored)}, 1, 0, 3600000, ${now()}
      )`);
    await db.run(sql`
      insert into job_progress (
        job, team_id, status, priority, max_concurrency, delay, total, page_room, spare_room, sitemap_room, waiting, running,
        completed, credits, served_at, ready_at
      ) values (${job}, ${FIRST_TEAM_ID}, 'scraping', 0, null, 0, 2, 8, 10, 0, 2, 0, 0, 0, 0, 0)`);
    await db.run(sql`
      insert into job_teams (team_id, waiting, running, served_at, ready_at) values (${FIRST_TEAM_ID}, 2, 0, 0, 0)`);
    await db.run(sql`
      insert into job_lanes (job, host, waiting, running, ready_at) values (${job}, ${new URL(site.url('/')).host}, 2, 0, 0)`);
    for (const [position, url] of urls.entries()) {
      await db.run(sql`
        insert into job_pages (job, page_key, kind, lane, url, depth, position, state, run_at, attempts, losses)
        values (${job}, ${url}, 0, ${lane}, ${url}, 1, ${position}, 0, 0, 0, 0)`);
    }
  });
}

for (const { name, skip, create } of STORE_KINDS) {
  test(`${name}: a store of the first version opens with all its data, and work continues`, { skip }, async () => {
    await using location = await create();
    const id = newId();
    await makeFirstStore(location.options, id);
    await using trawl = await startTrawl(settingsOf(location.options));

    const { status, body } = await trawl.get(`/v2/scrape/${id}`);
    assert.deepEqual([status, body.data.markdown], [200, '# From the first version']);
    assert.equal((await trawl.refusal({ url: 'https://a.test/' }, { key: SECOND_KEY })).status, 401);
    assert.deepEqual(
      (await rowsIn(location.options, 'select count(*) as count from pages')).map(({ count }) => Number(count)),
      [1],
    );

    const url = site.page('/new', html('<h1>New</h1>'));
    assert.equal((await trawl.scrape(url)).metadata.cacheState, 'miss');
    assert.equal((await trawl.scrape(url)).metadata.cacheState, 'hit');
    const batch = await finishedBatch(trawl, (await startBatch(trawl, { urls: [url] })).id);
    assert.equal(batch.completed, 1);
    assert.equal((await crawl(trawl, url)).completed, 1);
    type History = { periods: { totalCredits: number }[] };
    const { body: history } = await trawl.get<History>('/v2/team/credit-usage/historical');
    assert.equal(history.periods.at(-1)?.totalCredits, 4);
    type Log = { data: { endpoint: string }[] };
    const { body: log } = await trawl.get<Log>('/v2/team/activity');
    assert.deepEqual(log.data.map(({ endpoint }) => endpoint).sort(), ['batch_scrape', 'crawl', 'scrape', 'scrape']);
  });

  test(`${name}: a crawl that was running before the upgrade is listed and continues`, { skip }, async () => {
    await using location = await create();
    const id = newId();
    const urls = ['/a', '/b'].map((path) => site.page(path, html(`<h1>${path}</h1>`)));
    await makeFirstStore(location.options, newId());
    await inTransaction(location.options, (db) => migrate(db, upTo('0010-first-places')));
    await addCrawlUnderWay(location.options, id, urls);
    await inTransaction(location.options, (db) => migrate(db));
    const [listed] = await rowsIn(location.options, 'select summary from jobs');
    assert.ok(typeof listed?.summary === 'string');
    await using trawl = await startTrawl(settingsOf(location.options));
    const done = await finishedCrawl(trawl, id, site.url('/'));
    assert.deepEqual([done.status, done.completed], ['completed', 2]);
  });
}
