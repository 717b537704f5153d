import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { startCheckingRelay } from './support/checking-relay.ts';
import * as hostile from './support/hostile.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { KEY, startTrawl } from './support/trawl.ts';

/** The public SDK with only its base address changed. A relay in between checks each answer on the wire. */

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const relay = await shared(startCheckingRelay(trawl.address));
const client = new Firecrawl({ apiUrl: relay.address, apiKey: KEY });
const { v1 } = client;

const pagesAt = (path: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    site.page(`${path}/${index}`, html(`<h1>Words of ${path}/${index}</h1>`)),
  );

describe('the v2 client of the SDK', () => {
  test('batchScrape waits for every page', async () => {
    const urls = pagesAt('/wait', 5);
    const job = await client.batchScrape(urls, { options: { formats: ['markdown'], maxAge: 0 }, pollInterval: 1 });
    assert.equal(job.status, 'completed');
    assert.deepEqual([job.total, job.completed, job.creditsUsed, job.next], [5, 5, 5, null]);
    assert.deepEqual(job.data.map(({ metadata }) => metadata?.sourceURL).sort(), urls.sort());
    assert.ok(job.data.every(({ markdown }) => markdown?.includes('Words of /wait/')));
  });

  test('startBatchScrape sends every option that works today', async () => {
    const [url = ''] = pagesAt('/options', 1);
    const started = await client.startBatchScrape([url, 'nothing'], {
      options: { formats: ['markdown', 'html'], onlyMainContent: false, timeout: 20_000 },
      ignoreInvalidURLs: true,
      maxConcurrency: 2,
      zeroDataRetention: true,
      idempotencyKey: '2f0d0d3b-6f1f-4b51-9d53-3d4c5f0f9a11',
      integration: 'contract-test',
    });
    assert.deepEqual(started.invalidURLs, ['nothing']);
    assert.equal(started.url, `${trawl.address}/v2/batch/scrape/${started.id}`);
    const more = await client.startBatchScrape(pagesAt('/more', 1), { idempotencyKey: 'another' });
    assert.notEqual(more.id, started.id);
  });

  test('getBatchScrapeStatus collects documents across pages of results', async () => {
    const big = html(`<p>${'Much to read. '.repeat(300_000)}</p>`);
    const urls = Array.from({ length: 4 }, (_, index) => site.page(`/big/${index}`, big));
    const { id } = await client.startBatchScrape(urls, { options: { formats: ['rawHtml'], maxAge: 0 } });
    let job = await client.getBatchScrapeStatus(id, { autoPaginate: false });
    while (job.status !== 'completed') job = await client.getBatchScrapeStatus(id, { autoPaginate: false });
    assert.ok(job.next?.endsWith('?skip=2'), job.next ?? 'no next');
    assert.equal(job.data.length, 2);
    assert.equal((await client.getBatchScrapeStatus(id)).data.length, 4);
  });

  test('getBatchScrapeErrors reports what failed', async () => {
    const gone = site.page('/gone', hostile.notHttp);
    const job = await client.batchScrape([gone], { pollInterval: 1 });
    assert.deepEqual([job.status, job.data], ['completed', []]);
    const { errors, robotsBlocked } = await client.getBatchScrapeErrors(job.id);
    assert.deepEqual(robotsBlocked, []);
    assert.deepEqual([errors.length, errors[0]?.url], [1, gone]);
  });

  test('cancelBatchScrape cancels', async () => {
    const { id } = await client.startBatchScrape([site.page('/silence', hostile.silence)], {
      options: { timeout: 1000 },
    });
    assert.equal(await client.cancelBatchScrape(id), true);
    assert.equal((await client.getBatchScrapeStatus(id)).status, 'cancelled');
  });
});

describe('the v1 client of the SDK', () => {
  test('batchScrapeUrls waits for every page', async () => {
    const job = await v1.batchScrapeUrls(pagesAt('/v1/wait', 3), { formats: ['markdown'] }, 2);
    assert.ok(job.success);
    assert.deepEqual([job.status, job.total, job.data.length], ['completed', 3, 3]);
  });

  test('asyncBatchScrapeUrls, checkBatchScrapeStatus and checkBatchScrapeErrors', async () => {
    const gone = site.page('/v1/gone', hostile.notHttp);
    const started = await v1.asyncBatchScrapeUrls([...pagesAt('/v1/check', 2), gone], { formats: ['markdown'] });
    assert.ok(started.success && started.id !== undefined);
    let job = await v1.checkBatchScrapeStatus(started.id);
    while (!job.success || job.status !== 'completed') job = await v1.checkBatchScrapeStatus(started.id, true);
    assert.equal(job.data.length, 2);
    const report = await v1.checkBatchScrapeErrors(started.id);
    assert.ok('errors' in report);
    assert.deepEqual(
      report.errors.map(({ url }) => url),
      [gone],
    );
  });

  test('an invalid address is refused, unless the options say otherwise', async () => {
    await assert.rejects(v1.asyncBatchScrapeUrls(['nothing'], {}), { statusCode: 400 });
    const [url = ''] = pagesAt('/v1/valid', 1);
    const started = await v1.asyncBatchScrapeUrls(['nothing', url], {}, undefined, undefined, true);
    assert.ok(started.success);
    assert.deepEqual(started.invalidURLs, ['nothing']);
  });
});
