import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useClock } from '../src/clock.ts';
import { startTrawlOn } from './support/batch.ts';
import { crawl, finishedCrawl, startCrawl } from './support/crawl.ts';
import { addTasks, linking, pagesAsked, robotsTxt, sitemap, sitemapIndex, siteOf } from './support/crawl-site.ts';
import * as hostile from './support/hostile.ts';
import { addLimitedTeam } from './support/limited-team.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { STORE_KINDS } from './support/stores.ts';

const NO_SITEMAP = { sitemap: 'skip' };

for (const { name, skip, create } of STORE_KINDS) {
  describe(`a crawl in ${name}`, { skip }, async () => {
    if (skip !== false) return;
    const trawl = await shared(startTrawlOn(create()));

    test('returns every page below the start once', async () => {
      await using site = await siteOf({
        '/docs/': ['/docs/a', '/docs/b', '/other', '/docs/a#part', 'mailto:a@example.com', '/docs/logo.png'],
        '/docs/a': ['/docs/', '/docs/b', '/docs/a/deeper'],
        '/docs/b': ['/docs/a', '/'],
        '/docs/a/deeper': ['/docs/'],
        '/other': ['/docs/never'],
      });
      const { data, ...done } = await crawl(trawl, site.start, { limit: 100 });
      assert.deepEqual(done.paths, ['/docs/', '/docs/a', '/docs/a/deeper', '/docs/b']);
      assert.deepEqual([done.status, done.total, done.completed, done.creditsUsed], ['completed', 4, 4, 4]);
      assert.deepEqual(pagesAsked(site).sort(), ['/docs/', '/docs/a', '/docs/a/deeper', '/docs/b']);
      assert.deepEqual([done.errors, done.robotsBlocked], [[], []]);
      for (const { markdown, metadata } of data) {
        assert.ok(markdown?.includes(`Words of ${new URL(metadata.url).pathname}.`));
        assert.equal(metadata.creditsUsed, 1);
      }
      assert.equal(new Set(data.map(({ metadata }) => metadata.scrapeId)).size, 4);
    });

    test('returns as many pages as its limit and fetches no more', async () => {
      const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
      await using site = await siteOf({
        '/': paths,
        ...Object.fromEntries(paths.map((path) => [path, paths])),
      });
      const done = await crawl(trawl, site.start, { limit: 7 });
      assert.deepEqual([done.total, done.completed, done.creditsUsed], [7, 7, 7]);
      assert.equal(pagesAsked(site).length, 7);
    });

    test('replaces a failed page with one that is found later', async () => {
      await using site = await siteOf({ '/': ['/bad', '/a'], '/a': ['/b', '/bad'], '/b': ['/c'], '/c': [] });
      site.page('/bad', hostile.notHttp);
      const done = await crawl(trawl, site.start, { limit: 3, maxConcurrency: 1 });
      assert.deepEqual(done.paths, ['/', '/a', '/b']);
      assert.deepEqual([done.total, done.completed, done.creditsUsed], [4, 4, 3]);
      assert.deepEqual(
        done.errors.map(({ url, code }) => [url, code]),
        [[site.url('/bad'), 'SCRAPE_BAD_RESPONSE']],
      );
    });

    test('treats addresses that lead to the same page as one', async () => {
      await using site = await siteOf({
        '/': [
          '/a',
          '/a/',
          '/a/index.html',
          '/a?utm_source=x',
          '/a;jsessionid=1A2B3C',
          '/moved',
          '/a?page=2',
          '/print/a',
        ],
        '/a': [],
      });
      site.page('/moved', { status: 301, headers: { location: '/a' } });
      site.page('/print/a', linking('/print/a', ['/from-print'], '<link rel="canonical" href="/a">'));
      addTasks(site, { '/from-print': [] });
      // One at a time, because of several equal pages the first to finish is the result.
      const done = await crawl(trawl, site.start, { maxConcurrency: 1 });
      assert.deepEqual(done.paths, ['/', '/a', '/a?page=2', '/from-print']);
      assert.deepEqual([done.total, done.completed, done.creditsUsed], [4, 4, 4]);
      assert.equal(pagesAsked(site).filter((path) => /^\/a(?!\?page)/.test(path)).length <= 3, true);
    });

    test('reads sitemaps: index files, compressed ones, and those with entries that do not belong there', async () => {
      await using site = await siteOf({
        '/': ['/linked'],
        '/linked': [],
        '/one': [],
        '/two': ['/behind'],
        '/behind': [],
      });
      site.page('/robots.txt', robotsTxt(`Sitemap: ${site.url('/maps/index.xml')}`, 'Sitemap: /maps/broken.xml'));
      site.page('/maps/index.xml', sitemapIndex([site.url('/maps/1.xml'), site.url('/maps/2.xml.gz')]));
      site.page('/maps/broken.xml', { headers: { 'content-type': 'text/html' }, body: '<html><body>No</body></html>' });
      const others = [
        'http://169.254.169.254/latest',
        'file:///etc/passwd',
        'https://example.com/page',
        'javascript:1',
      ];
      site.page('/maps/1.xml', sitemap([site.url('/one'), site.url('/one?utm_medium=mail'), ...others]));
      site.page('/maps/2.xml.gz', sitemap([site.url('/two'), site.url('/one')], { packed: true }));
      const done = await crawl(trawl, site.start);
      assert.deepEqual(done.paths, ['/', '/behind', '/linked', '/one', '/two']);
      assert.deepEqual([done.total, done.completed, done.creditsUsed], [5, 5, 5]);
      assert.deepEqual(
        done.errors.map(({ url, code }) => [url, code]),
        [[site.url('/maps/broken.xml'), 'CRAWL_BAD_SITEMAP']],
      );
      assert.equal((await crawl(trawl, site.start, { ...NO_SITEMAP })).paths.join(' '), '/ /linked');
      assert.equal((await crawl(trawl, site.start, { sitemap: 'only' })).paths.join(' '), '/one /two');
    });

    test('lists pages that robots.txt disallows without fetching them', async () => {
      const pages = { '/': ['/private/a', '/private/b', '/public'], '/public': ['/private/a'], '/private/a': [] };
      await using site = await siteOf(pages);
      site.page('/robots.txt', robotsTxt('User-agent: *', 'Disallow: /private', '', 'User-agent: special', 'Allow: /'));
      const done = await crawl(trawl, site.start);
      assert.deepEqual(done.paths, ['/', '/public']);
      assert.deepEqual(done.robotsBlocked.sort(), [site.url('/private/a'), site.url('/private/b')]);
      assert.deepEqual(pagesAsked(site).sort(), ['/', '/public']);
      assert.equal(done.total, 2);
      for (const options of [{ ignoreRobotsTxt: true }, { robotsUserAgent: 'Special' }]) {
        const all = await crawl(trawl, site.start, options);
        assert.deepEqual([all.completed, all.robotsBlocked], [4, []]);
      }
    });

    test('that is cancelled starts nothing new, and its results can be read', async () => {
      await using site = await siteOf({ '/': ['/held', '/next'], '/next': [] });
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      site.page('/held', async (_request, response) => {
        reached.resolve();
        await released.promise;
        response.writeHead(200, { 'content-type': 'text/html' }).end(linking('/held', ['/after']));
      });
      const id = await startCrawl(trawl, { url: site.start, maxConcurrency: 1, ...NO_SITEMAP });
      await reached.promise;
      const { body: running } = await trawl.get<{ crawls: { id: string; url: string; options: object }[] }>(
        '/v2/crawl/active',
      );
      assert.deepEqual(
        running.crawls.filter((one) => one.id === id).map(({ url }) => url),
        [site.start],
      );
      const { key } = await addLimitedTeam(trawl.options, {});
      assert.deepEqual((await trawl.get<{ crawls: object[] }>('/v2/crawl/active', { key })).body.crawls, []);
      const { status, body } = await trawl.call('DELETE', `/v2/crawl/${id}`);
      assert.deepEqual([status, body], [200, { success: true, status: 'cancelled' }]);
      released.resolve();
      let done = await finishedCrawl(trawl, id, site.start);
      while (done.completed < 2) done = await finishedCrawl(trawl, id, site.start);
      assert.equal(done.status, 'cancelled');
      assert.deepEqual(done.paths, ['/', '/held']);
      const { body: after } = await trawl.get<{ crawls: { id: string }[] }>('/v2/crawl/ongoing');
      assert.deepEqual(
        after.crawls.filter((one) => one.id === id),
        [],
      );
    });

    test('reserves the cost of its limit, or does not start', async () => {
      await using site = await siteOf({ '/': ['/a'], '/a': [] });
      const { key } = await addLimitedTeam(trawl.options, { plan: { monthlyCredits: 10 } });
      const refused = await trawl.call('POST', '/v2/crawl', { url: site.start, limit: 11 }, { key });
      assert.equal(refused.status, 402);
      assert.match(refused.body.error, /11 credits/);
      assert.equal(site.requests.length, 0);
      assert.equal((await trawl.call('POST', '/v2/crawl', { url: site.start, limit: 10 }, { key })).status, 200);
      type Usage = { data: { remainingCredits: number } };
      const remaining = async () =>
        (await trawl.get<Usage>('/v2/team/credit-usage', { key })).body.data.remainingCredits;
      // Two pages are charged, and the rest of the reservation is released.
      while ((await remaining()) !== 8) assert.ok((await remaining()) >= 0);
    });

    test('queues no more pages than the plan allows, and skips nothing that its sitemap lists', async () => {
      const paths = Array.from({ length: 6 }, (_, index) => `/${index}`);
      await using site = await siteOf(Object.fromEntries(paths.map((path) => [path, []])));
      site.page('/sitemap.xml', sitemap(paths.map((path) => site.url(path))));
      const { key } = await addLimitedTeam(trawl.options, { plan: { queuedJobs: 3 } });
      const id = await startCrawl(trawl, { url: site.url('/'), sitemap: 'only' }, { key });
      interface Queue {
        activeJobsInQueue: number;
        waitingJobsInQueue: number;
      }
      let [most, passed, done] = [0, 0, 0];
      let restore = () => {};
      try {
        for (let status = 'scraping'; status === 'scraping'; ) {
          const { body: crawled } = await trawl.get<{ status: string; completed: number }>(`/v2/crawl/${id}`, { key });
          ({ status } = crawled);
          const { body } = await trawl.get<Queue>('/v2/team/queue-status', { key });
          most = Math.max(most, body.waitingJobsInQueue);
          // Only the sitemap is waiting, to be read again for later pages.
          if (body.waitingJobsInQueue !== 1 || body.activeJobsInQueue !== 0 || crawled.completed === done) continue;
          done = crawled.completed;
          passed += 30_000;
          restore();
          const ahead = passed;
          restore = useClock(() => Date.now() + ahead);
        }
      } finally {
        restore();
      }
      const { completed, errors } = await finishedCrawl(trawl, id, site.start, { key });
      assert.deepEqual([completed, errors], [6, []]);
      assert.ok(passed > 0 && most > 1 && most <= 4, `${most} waited, the sitemap too, and ${passed} ms passed`);
    });

    test('with zero data retention keeps only its results, for one hour', async () => {
      await using site = await siteOf({ '/': ['/quokka'], '/quokka': [] });
      const scrapeOptions = { headers: { 'x-visitor': 'wombat' } };
      const done = await crawl(trawl, site.start, { zeroDataRetention: true, scrapeOptions });
      assert.deepEqual([done.completed, done.creditsUsed], [2, 4]);
      assert.equal(Date.parse(done.expiresAt) - Date.parse(done.completedAt ?? ''), 3_600_000);
      const { body: copy } = await trawl.post('/v2/scrape', { url: site.url('/quokka'), lockdown: true });
      assert.equal(copy.code, 'SCRAPE_LOCKDOWN_CACHE_MISS');
      const rows = await rowsIn(
        trawl.options,
        `select target as kept from activity where id = '${done.id}' union all select options as kept from jobs where id = '${done.id}'`,
      );
      assert.deepEqual(
        rows.map(({ kept }) => kept),
        [null, null],
      );
    });

    test('is deleted when it expires', async () => {
      await using site = await siteOf({ '/': [] });
      const done = await crawl(trawl, site.start);
      const restore = useClock(() => Date.parse(done.expiresAt) + 1);
      try {
        for (const path of ['', '/errors']) assert.equal((await trawl.get(`/v2/crawl/${done.id}${path}`)).status, 404);
      } finally {
        restore();
      }
    });
  });
}
