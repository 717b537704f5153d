import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Metrics } from '../src/service/metrics.ts';
import { storeState } from '../src/service/store-state.ts';
import { openStore } from '../src/store/open-store.ts';
import { finishedBatch, startBatch } from './support/batch.ts';
import { temporaryFolder } from './support/folder.ts';
import { heldPage } from './support/held-page.ts';
import * as hostile from './support/hostile.ts';
import { addLimitedTeam, perMinute } from './support/limited-team.ts';
import { metricsUntil, Scraped, scrapeMetrics } from './support/metrics.ts';
import { runTrawl, startCommand, startProcess } from './support/process.ts';
import { startReceiver } from './support/receiver.ts';
import { settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const url = site.page('/', html('<h1>Here</h1>'));

describe('/metrics', () => {
  test('counts scrapes by result, cache lookups and store operations', async () => {
    await using trawl = await startTrawl();
    const before = await scrapeMetrics(trawl.address);
    await trawl.scrape(url);
    await trawl.scrape(url);
    await trawl.refusal({ url: site.page('/broken', hostile.notHttp) });
    const after = await scrapeMetrics(trawl.address);
    const moved = (name: string, labels: Record<string, string>) =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
    assert.equal(moved('trawl_pages_total', { kind: 'scrape', result: 'done' }), 2);
    assert.equal(moved('trawl_pages_total', { kind: 'scrape', result: 'failed' }), 1);
    assert.equal(moved('trawl_cache_lookups_total', { result: 'hit' }), 1);
    assert.equal(moved('trawl_cache_lookups_total', { result: 'miss' }), 2);
    for (const operation of ['read', 'write']) assert.ok(moved('trawl_store_seconds', { operation }) >= 3, operation);
  });

  test('reports the cache size and the free disk space', async () => {
    await using trawl = await startTrawl();
    await trawl.scrape(url);
    const scraped = await scrapeMetrics(trawl.address);
    assert.ok((scraped.value('trawl_cache_bytes') ?? 0) > 0);
    assert.ok((scraped.value('trawl_disk_free_bytes') ?? 0) > 0);
    assert.equal(scraped.value('trawl_store_up'), 1);
    assert.equal(scraped.value('trawl_workers'), 1);
  });

  test('counts requests refused by limits, by error code', async () => {
    await using trawl = await startTrawl();
    const { key } = await addLimitedTeam({ dataDir: trawl.dataDir }, { plan: { requestsPerMinute: perMinute(1) } });
    await trawl.scrape(url, {}, { key });
    assert.equal((await trawl.refusal({ url }, { key })).status, 429);
    const scraped = await scrapeMetrics(trawl.address);
    assert.equal(scraped.value('trawl_limit_refusals_total', { code: 'RATE_LIMIT_EXCEEDED' }), 1);
    assert.equal(scraped.value('trawl_limit_refusals_total', { code: 'QUEUE_FULL' }), 0);
  });

  test('shows what is waiting: pages of jobs, webhook events, reading threads', async () => {
    await using trawl = await startTrawl();
    await using receiver = await startReceiver();
    receiver.answer(500, '/down');
    const held = heldPage(site, '/metrics-held');
    const other = site.page('/metrics-other', html('<h1>There</h1>'));
    const urls = [held.address, other];
    const { id } = await startBatch(trawl, { urls, maxConcurrency: 1, webhook: receiver.url('/hook') });
    await held.reached;
    const batch = (state: string) => ({ kind: 'batch', state });
    const busy = await metricsUntil(trawl.address, (one) => one.value('trawl_job_pages', batch('running')) === 1);
    assert.equal(busy.value('trawl_job_pages', batch('waiting')), 1);
    assert.equal(busy.value('trawl_job_pages', { kind: 'other', state: 'waiting' }), 0);
    held.release();
    await finishedBatch(trawl, id);
    await receiver.until(4, '/hook');

    await startBatch(trawl, { urls: [other], webhook: receiver.url('/down') });
    await receiver.until(1, '/down');
    const calm = await metricsUntil(
      trawl.address,
      (one) =>
        (one.value('trawl_webhook_events_waiting') ?? 0) > 0 &&
        one.value('trawl_job_pages', batch('running')) === undefined &&
        one.value('trawl_webhook_deliveries_total', { result: 'retried' }) === 1,
    );
    assert.equal(calm.value('trawl_pages_total', { kind: 'batch', result: 'done' }), 3);
    assert.equal(calm.value('trawl_webhook_deliveries_total', { result: 'delivered' }), 4);
    assert.equal(calm.value('trawl_webhook_deliveries_total', { result: 'failed' }), 0);
    const threads = ['busy', 'idle'].map((state) => calm.value('trawl_reading_threads', { state }) ?? 0);
    assert.ok((threads[0] ?? 0) + (threads[1] ?? 0) >= 1, 'pages of jobs are read in threads');
    assert.equal(calm.value('trawl_reading_waiting'), 0);
  });

  test('takes label values only from the code, and docs/metrics.md explains every metric', async () => {
    await using trawl = await startTrawl();
    await addLimitedTeam({ dataDir: trawl.dataDir }, { name: 'marmalade' });
    await trawl.scrape(url);
    const { families } = await scrapeMetrics(trawl.address);
    const own = Object.entries(families).filter(([name]) => name.startsWith('trawl_'));
    const labels = new Set(own.flatMap(([, { data }]) => data.flatMap((one) => Object.keys(one.labels))));
    assert.deepEqual(
      [...labels].filter((label) => !/^(method|route|status|operation|code|kind|reason|result|state)$/.test(label)),
      [],
    );
    assert.ok(!JSON.stringify(families).includes('marmalade'));
    assert.ok(!JSON.stringify(families).includes('127.0.0.1'));
    for (const [name, { help }] of own) assert.ok(help.length > 10, name);

    const text = await readFile(join(import.meta.dirname, '..', 'docs', 'metrics.md'), 'utf8');
    const explained = new Set([...text.matchAll(/^\| `(trawl_\w+)`/gm)].map(([, name]) => name));
    assert.deepEqual([...explained].sort(), own.map(([name]) => name).sort());
  });

  test('answers during a store outage, and reports it', async () => {
    await using folder = await temporaryFolder();
    const store = await openStore({ dataDir: folder.path });
    const metrics = new Metrics();
    metrics.watch({
      store: storeState(store),
      readers: () => ({ busy: 0, idle: 0, waiting: 0 }),
      browser: () => ({ open: 0, waiting: 0, bytes: 0 }),
    });
    await store.close();
    const scraped = await Scraped.parse(await metrics.read());
    assert.equal(scraped.value('trawl_store_up'), 0);
    assert.equal(scraped.value('trawl_workers'), undefined);
    assert.equal(scraped.value('trawl_reading_waiting'), 0);
  });

  test('requires a key when TRAWL_METRICS_KEY is set', async () => {
    const key = 'key-of-the-metrics';
    await using trawl = await startTrawl({ TRAWL_METRICS_KEY: key });
    for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${key}`, `Bearer ${key}x`]) {
      const response = await fetch(`${trawl.address}/metrics`, { headers: { authorization } });
      assert.equal(response.status, 401, authorization);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
      assert.match(await response.text(), /"code":"UNAUTHORIZED".*TRAWL_METRICS_KEY/);
    }
    assert.equal((await scrapeMetrics(trawl.address, key)).value('trawl_store_up'), 1);
    assert.equal((await fetch(`${trawl.address}/health`)).status, 200);
  });
});

const postgres = STORE_KINDS.find(({ name }) => name === 'PostgreSQL');

describe('trawl worker', { skip: postgres?.skip ?? true }, () => {
  test('reports its health over HTTP when it has a port, and serves nothing else there', async () => {
    assert.ok(postgres);
    await using location = await postgres.create();
    const settings = settingsOf(location.options);
    await using api = await startProcess(settings, 'api');
    await using worker = await startCommand(['worker', '--port', '0'], settings, /Trawl works on jobs/);
    const address = /metrics: (http\S+)\/metrics/.exec(worker.stdout())?.[1] ?? '';
    assert.equal((await fetch(`${address}/health`)).status, 200);
    const ready = await fetch(`${address}/ready`);
    assert.deepEqual([ready.status, /"worker":true/.test(await ready.text())], [200, true]);

    const { id } = await startBatch(api, { urls: [url] });
    await finishedBatch(api, id);
    const done = { kind: 'batch', result: 'done' };
    assert.equal((await scrapeMetrics(address)).value('trawl_pages_total', done), 1);
    assert.equal((await scrapeMetrics(api.address)).value('trawl_pages_total', done), undefined);
    assert.equal((await scrapeMetrics(api.address)).value('trawl_workers'), 1);

    const elsewhere = await fetch(`${address}/v2/scrape`, { method: 'POST' });
    assert.equal(elsewhere.status, 404);
    assert.match(await elsewhere.text(), /"code":"NOT_FOUND".*There is no POST \/v2\/scrape here/);
    assert.equal(await worker.stop(), 0);
  });

  test('exits with 1 when its port is in use', async () => {
    assert.ok(postgres);
    await using location = await postgres.create();
    await using api = await startProcess(settingsOf(location.options), 'api');
    const settings = { ...settingsOf(location.options), TRAWL_WORKER_PORT: new URL(api.address).port };
    const { code, stderr } = await runTrawl(['worker'], settings);
    assert.equal(code, 1);
    assert.match(stderr, /already in use.*TRAWL_WORKER_PORT/);
  });

  test('does not listen without a port', async () => {
    assert.ok(postgres);
    await using location = await postgres.create();
    await using worker = await startCommand(['worker'], settingsOf(location.options), /Trawl works on jobs/);
    assert.doesNotMatch(worker.stdout(), /http/);
  });
});
