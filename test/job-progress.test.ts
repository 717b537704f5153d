import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { allDocuments, type BatchStatus, finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import { crawl, finishedCrawl, startCrawl } from './support/crawl.ts';
import { robotsTxt, siteOf } from './support/crawl-site.ts';
import { heldPage } from './support/held-page.ts';
import * as hostile from './support/hostile.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { KEY, type TrawlClient } from './support/trawl.ts';

/** A batch of three pages, one that fails, and one that robots.txt disallows. */
const site = await shared(startSite());
site.page('/robots.txt', robotsTxt('User-agent: *', 'Disallow: /private'));
const good = ['/a', '/b', '/c'].map((path) => site.page(path, html(`<h1>${path}</h1>`)));
const urls = [...good, site.page('/bad', hostile.notHttp), site.url('/private')];

/** Every status of a batch until its end. */
async function course(trawl: TrawlClient, id: string): Promise<BatchStatus[]> {
  for (const told: BatchStatus[] = []; ; ) {
    const { body } = await trawl.get<BatchStatus>(`/v2/batch/scrape/${id}?limit=1`);
    told.push(body);
    if (body.status !== 'scraping') return told;
  }
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`the progress of jobs in ${name}`, { skip }, () => {
    test('reaches the total even when pages fail or are disallowed, and every document can be paged through', async () => {
      await using trawl = await startTrawlOn(create());
      const { id } = await startBatch(trawl, { urls, maxAge: 0 });
      const told = await course(trawl, id);
      const counts = told.map(({ completed }) => completed);
      assert.deepEqual(
        counts,
        [...counts].sort((one, other) => one - other),
      );
      assert.ok(told.every(({ completed, total }) => completed <= total && total === 5));
      const done = told.at(-1);
      assert.deepEqual([done?.status, done?.completed, done?.creditsUsed], ['completed', 5, 3]);
      const one = async (skip: number) =>
        (await trawl.get<BatchStatus>(`/v2/batch/scrape/${id}?limit=1&skip=${skip}`)).body;
      const pages = [await one(0), await one(1), await one(2), await one(3)];
      assert.deepEqual(
        pages.map(({ data, next }) => [data.length, next !== undefined]),
        [
          [1, true],
          [1, true],
          [1, false],
          [0, false],
        ],
      );
      assert.equal((await allDocuments(trawl, id)).length, 3);
    });

    test('reaches the total of a crawl whose pages fail, redirect to one another or are disallowed', async () => {
      await using trawl = await startTrawlOn(create());
      await using pages = await siteOf({ '/': ['/a', '/bad', '/same', '/private/x'], '/a': ['/b'], '/b': [] });
      pages.page('/robots.txt', robotsTxt('User-agent: *', 'Disallow: /private'));
      pages.page('/bad', hostile.notHttp);
      pages.page('/same', { status: 301, headers: { location: '/a' } });
      const done = await crawl(trawl, pages.start, { sitemap: 'skip' });
      assert.deepEqual(done.paths, ['/', '/a', '/b']);
      assert.deepEqual([done.total, done.completed, done.creditsUsed], [4, 4, 3]);
    });

    test('does not end in cancellation when nothing is left to cancel', async () => {
      await using trawl = await startTrawlOn(create());
      const client = new Firecrawl({ apiKey: KEY, apiUrl: trawl.address });
      const { id } = await startBatch(trawl, { urls: good });
      const done = await finishedBatch(trawl, id);
      for (const version of ['v1', 'v2']) {
        const { status, body } = await trawl.call('DELETE', `/${version}/batch/scrape/${id}`);
        assert.deepEqual([status, body.code], [409, 'CONFLICT']);
        assert.equal(body.error, 'This batch has already completed. Its results do not change.');
      }
      await assert.rejects(client.cancelBatchScrape(id), { status: 409, message: /already completed/ });
      const after = await finishedBatch(trawl, id);
      assert.deepEqual([after.status, after.completedAt, after.data], ['completed', done.completedAt, done.data]);

      await using pages = await siteOf({ '/': [] });
      const crawled = await startCrawl(trawl, { url: pages.start, sitemap: 'skip' });
      await finishedCrawl(trawl, crawled, pages.start);
      await assert.rejects(client.cancelCrawl(crawled), { status: 409, message: /This crawl has already completed/ });
    });

    test('can be cancelled repeatedly', async () => {
      await using trawl = await startTrawlOn(create());
      const held = heldPage(site, `/held/${name}`);
      const { id } = await startBatch(trawl, { urls: [held.address, ...good] });
      await held.reached;
      for (let time = 0; time < 2; time++) {
        const { status, body } = await trawl.call('DELETE', `/v2/batch/scrape/${id}`);
        assert.deepEqual([status, body], [200, { success: true, status: 'cancelled' }]);
      }
      held.release();
    });
  });
}
