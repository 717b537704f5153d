import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { parseNetworks } from '../src/fetch/egress/networks.ts';
import { JobNews } from '../src/jobs/job-news.ts';
import { PageWorkers } from '../src/pages/page-workers/page-workers.ts';
import { NO_STAGES } from '../src/pages/stages.ts';
import { createApp } from '../src/server/app.ts';
import { createLogger } from '../src/service/logger.ts';
import { Metrics } from '../src/service/metrics.ts';
import { RobotsCache } from '../src/site/robots-cache.ts';
import { createSiteFetcher } from '../src/site/site-fetcher.ts';
import { openStore } from '../src/store/open-store.ts';
import { createPriceList } from '../src/team/prices.ts';
import { RunningWork } from '../src/team/running.ts';
import { temporaryFolder } from './support/folder.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/', html('<h1>Here</h1>'));

const { version }: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The answer of an address that needs no key. */
async function open(path: string) {
  const response = await fetch(trawl.address + path);
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

test('/health is a 200 without a key', async () => {
  const { status, text } = await open('/health');
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(text), { status: 'ok', version });
});

test('/ready is a 200 without a key, and says that jobs are processed', async () => {
  const { status, text } = await open('/ready');
  assert.equal(status, 200);
  const { browser, ...rest } = JSON.parse(text);
  assert.deepEqual(rest, { status: 'ok', version, worker: true });
  assert.ok(['not started', 'unavailable'].includes(browser.status));
});

/** The app without a port, on a store that a test can close. */
async function bareApp(dataDir: string) {
  const store = await openStore({ dataDir });
  const fetcher = createSiteFetcher({ allowNetworks: [], proxy: undefined, enhancedProxy: undefined, maxBodyBytes: 1 });
  const logger = createLogger('silent');
  const { read } = new PageWorkers();
  const prices = createPriceList(store);
  const metrics = new Metrics();
  const running = new RunningWork();
  const scrapeServices = {
    ...{ store, fetcher, read, prices, running, onError: () => {}, resultMs: 1, counts: metrics },
    stages: NO_STAGES,
  };
  const jobServices = { ...scrapeServices, checkTarget: fetcher.checkTarget, wakeWorker: () => {} };
  const trustedProxies = parseNetworks([], 'TRAWL_TRUSTED_PROXIES');
  const hasWorker = async () => false;
  const app = await createApp({
    hasWorker,
    browserState: () => fetcher.browser.state(),
    metrics,
    metricsKey: undefined,
    store,
    logger,
    scrapeServices,
    mapServices: { ...scrapeServices, robots: new RobotsCache(fetcher) },
    jobServices,
    model: undefined,
    kinds: [],
    news: new JobNews(),
    keyless: undefined,
    trustedProxies,
    publicAddress: () => '',
  });
  return { app, store };
}

test('/ready is a 503 when the store is unavailable, while /health still answers', async () => {
  await using folder = await temporaryFolder();
  const { app, store } = await bareApp(folder.path);
  assert.equal((await app.inject('/ready')).statusCode, 200);
  await store.close();
  const { statusCode, payload } = await app.inject('/ready');
  assert.equal(statusCode, 503);
  const body: { success: boolean; code: string; error: string } = JSON.parse(payload);
  assert.equal(body.success, false);
  assert.equal(body.code, 'STORE_UNAVAILABLE');
  assert.equal((await app.inject('/health')).statusCode, 200);
  await app.close();
});

test('a request must arrive within a minute', async () => {
  await using folder = await temporaryFolder();
  const { app, store } = await bareApp(folder.path);
  assert.equal(app.server.requestTimeout, 60_000);
  const { port } = new URL(await app.listen({ port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  const [accepted] = await once(app.server, 'connection');
  app.server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), accepted);
  const answer = await text(socket);
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, /"success":false.*did not arrive within 60 s/);
  await app.close();
  await store.close();
});

test('/metrics counts requests by route, in the text format of Prometheus', async () => {
  await trawl.scrape(url);
  await trawl.get('/v2/scrape/01890000-0000-7000-8000-000000000000');
  const { status, type, text } = await open('/metrics');
  assert.equal(status, 200);
  assert.match(type, /^text\/plain; version=0\.0\.4/);
  assert.match(text, /^trawl_http_request_seconds_count\{method="POST",route="\/v2\/scrape",status="200"\} [1-9]/m);
  assert.match(text, /^trawl_http_request_seconds_count\{method="GET",route="\/v2\/scrape\/:jobId",status="404"\} 1$/m);
  assert.match(text, /^process_resident_memory_bytes \d/m);
  assert.ok(!text.includes('127.0.0.1'), 'no target in a label');
});

test('/docs shows the API reference', async () => {
  const { status, type, text } = await open('/docs');
  assert.equal(status, 200);
  assert.match(type, /^text\/html/);
  const scripts = [...text.matchAll(/<script[^>]*\bsrc="([^"]+)"/g)].map(([, source]) => source ?? '');
  assert.ok(scripts.length > 0);
  for (const source of scripts) {
    const address = new URL(source, `${trawl.address}/docs/`);
    assert.equal(address.origin, trawl.address, 'nothing is loaded from elsewhere');
    const script = await fetch(address);
    assert.equal(script.status, 200, source);
    await script.body?.cancel();
  }
});

test('/ redirects to the API reference', async () => {
  const response = await fetch(trawl.address, { redirect: 'manual' });
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('location'), 'docs/');
  await response.body?.cancel();
});

describe('the request id', () => {
  test('is in every answer, and differs', async () => {
    const ids = [];
    for (const path of ['/health', '/v2/nothing', '/v2/scrape/x']) {
      const { headers } = await fetch(trawl.address + path);
      ids.push(headers.get('x-request-id'));
    }
    for (const id of ids) assert.match(id ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(new Set(ids).size, 3);
  });
});
