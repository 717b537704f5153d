import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { startCheckingRelay } from './support/checking-relay.ts';
import { linking, robotsTxt, siteOf } from './support/crawl-site.ts';
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

/** A start page that links to this many others. */
function linkedPages(path: string, count: number): string {
  const links = Array.from({ length: count }, (_, index) => `${path}/${index}`);
  for (const link of links) site.page(link, linking(link, [path]));
  return site.page(path, linking(path, links));
}

/** A site whose second page is held until it is released. */
async function heldSite() {
  const held = await siteOf({ '/': ['/held'] });
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  held.page('/held', async (_request, response) => {
    reached.resolve();
    await released.promise;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>At last</h1>'));
  });
  return { ...held, reached: reached.promise, release: () => released.resolve() };
}

describe('the v2 client of the SDK', () => {
  test('crawl waits for every page', async () => {
    const url = linkedPages('/wait', 20);
    const job = await client.crawl(url, { limit: 50, scrapeOptions: { formats: ['markdown'] }, pollInterval: 1 });
    assert.equal(job.status, 'completed');
    assert.deepEqual([job.total, job.completed, job.creditsUsed, job.next], [21, 21, 21, null]);
    assert.equal(new Set(job.data.map(({ metadata }) => metadata?.sourceURL)).size, 21);
    assert.ok(job.data.every(({ markdown }) => markdown?.includes('/wait')));
  });

  test('startCrawl sends every option that works today', async () => {
    const url = linkedPages('/options', 1);
    const started = await client.startCrawl(url, {
      prompt: 'not the archive',
      excludePaths: ['^/admin'],
      includePaths: ['.*'],
      maxDiscoveryDepth: 3,
      sitemap: 'skip',
      ignoreQueryParameters: true,
      deduplicateSimilarURLs: true,
      limit: 5,
      crawlEntireDomain: true,
      allowExternalLinks: true,
      allowSubdomains: true,
      ignoreRobotsTxt: false,
      robotsUserAgent: 'Trawl',
      delay: 0.01,
      maxConcurrency: 2,
      scrapeOptions: { formats: ['markdown', 'links'], onlyMainContent: false, timeout: 20_000 },
      regexOnFullURL: true,
      zeroDataRetention: true,
      integration: 'contract-test',
    });
    assert.equal(started.url, `${trawl.address}/v2/crawl/${started.id}`);
  });

  test('getCrawlStatus collects documents across pages of results', async () => {
    const links = Array.from({ length: 4 }, (_, index) => `/big/${index}`);
    const big = html(`<p>${'Much to read. '.repeat(300_000)}</p>`);
    for (const link of links) site.page(link, big);
    const url = site.page('/big', linking('/big', links));
    const { id } = await client.startCrawl(url, { sitemap: 'skip', scrapeOptions: { formats: ['rawHtml'] } });
    let job = await client.getCrawlStatus(id, { autoPaginate: false });
    while (job.status !== 'completed') job = await client.getCrawlStatus(id, { autoPaginate: false });
    assert.ok(job.next !== null && job.data.length < 5, `${job.data.length} of ${job.total}`);
    assert.equal((await client.getCrawlStatus(id)).data.length, 5);
  });

  test('getCrawlErrors reports failures and pages that robots.txt disallows', async () => {
    await using strict = await siteOf({ '/': ['/bad', '/private'] });
    strict.page('/bad', hostile.notHttp);
    strict.page('/robots.txt', robotsTxt('User-agent: *', 'Disallow: /private'));
    const job = await client.crawl(strict.start, { pollInterval: 1 });
    const report = await client.getCrawlErrors(job.id);
    assert.deepEqual(report.robotsBlocked, [strict.url('/private')]);
    assert.deepEqual(
      report.errors.map(({ url, code }) => [url, code]),
      [[strict.url('/bad'), 'SCRAPE_BAD_RESPONSE']],
    );
  });

  test('getActiveCrawls lists a crawl, and cancelCrawl ends it', async () => {
    const held = await heldSite();
    await using _ = held;
    const scrapeOptions = { headers: { cookie: 'secret' }, onlyMainContent: false };
    const { id } = await client.startCrawl(held.start, { limit: 7, scrapeOptions });
    await held.reached;
    const { crawls } = await client.getActiveCrawls();
    const found = crawls.find((one) => one.id === id);
    assert.equal(found?.url, held.start);
    assert.deepEqual([found?.options?.limit, JSON.stringify(crawls).includes('secret')], [7, false]);
    assert.equal(await client.cancelCrawl(id), true);
    held.release();
    assert.equal((await client.getCrawlStatus(id)).status, 'cancelled');
    assert.equal(
      (await client.getActiveCrawls()).crawls.some((one) => one.id === id),
      false,
    );
  });

  test('crawlParamsPreview shows the options a prompt stands for', async () => {
    const preview = await client.crawlParamsPreview('https://example.com', 'Only the blog, at most 20 pages');
    assert.deepEqual([preview.url, preview.limit], ['https://example.com', 20]);
    assert.match(String(preview.includePaths), /blog/);
  });
});

describe('the v1 client of the SDK', () => {
  test('crawlUrl waits for every page', async () => {
    const url = linkedPages('/v1', 5);
    const job = await v1.crawlUrl(url, { limit: 50, scrapeOptions: { formats: ['markdown'] } }, 1);
    assert.ok(job.success);
    assert.deepEqual([job.status, job.total, job.completed, job.data.length], ['completed', 6, 6, 6]);
  });

  test('asyncCrawlUrl sends every option that works today, and checkCrawlStatus follows the crawl', async () => {
    const url = linkedPages('/v1-options', 2);
    const started = await v1.asyncCrawlUrl(url, {
      includePaths: ['.*'],
      excludePaths: ['^/admin'],
      maxDepth: 4,
      maxDiscoveryDepth: 2,
      limit: 10,
      allowBackwardLinks: true,
      crawlEntireDomain: false,
      allowExternalLinks: false,
      ignoreSitemap: true,
      scrapeOptions: { formats: ['markdown', 'links'], onlyMainContent: false },
      deduplicateSimilarURLs: true,
      ignoreQueryParameters: true,
      regexOnFullURL: false,
      delay: 0.01,
      allowSubdomains: false,
      maxConcurrency: 2,
      zeroDataRetention: false,
    });
    assert.ok(started.success);
    const check = () => v1.checkCrawlStatus(started.id, true);
    let job = await check();
    while (job.success && job.status === 'scraping') job = await check();
    assert.ok(job.success);
    assert.deepEqual([job.status, job.completed], ['completed', 3]);
  });

  test('counts path segments for maxDepth', async () => {
    await using deep = await siteOf({ '/': ['/a'], '/a': ['/a/b'], '/a/b': ['/a/b/c'], '/a/b/c': [] });
    const job = await v1.crawlUrl(deep.start, { maxDepth: 2, ignoreSitemap: true }, 1);
    assert.ok(job.success);
    assert.equal(job.completed, 3);
  });

  test('checkCrawlErrors reports what failed, and cancelCrawl ends the crawl', async () => {
    const held = await heldSite();
    await using _ = held;
    const started = await v1.asyncCrawlUrl(held.start, {});
    assert.ok(started.success && started.id !== undefined);
    await held.reached;
    const cancelled: unknown = await v1.cancelCrawl(started.id);
    assert.deepEqual(cancelled, { success: true, status: 'cancelled' });
    held.release();
    assert.deepEqual(await v1.checkCrawlErrors(started.id), { errors: [], robotsBlocked: [] });
  });
});
