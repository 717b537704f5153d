import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batchErrors, finishedBatch, startBatch } from './support/batch.ts';
import { crawl } from './support/crawl.ts';
import { map } from './support/map.ts';
import { shared } from './support/shared.ts';
import { html, type Reply, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const trawl = await shared(startTrawl({ TRAWL_ALLOW_NETWORKS: '127.0.0.1,::1' }));
/** The site is 127.0.0.1. The policy refuses another site, named localhost. */
const threatProtection = { blacklist: ['localhost'] };

/** A site with redirects to another one, which the policy refuses and which leads back. */
async function startSites() {
  const site = await startSite();
  const refused = await startSite();
  const there = (path: string) => refused.url(path).replace('127.0.0.1', 'localhost');
  const moved = (location: string): Reply => ({ status: 302, headers: { location } });
  site.page(
    '/',
    html(`<h1>Start</h1><a href="/a">a</a><a href="/redirect">redirect</a><a href="/refresh">refresh</a>`),
  );
  site.page('/a', html('<h1>A page</h1>'));
  site.page('/redirect', moved(there('/')));
  site.page('/refresh', html('', `<meta http-equiv="refresh" content="0; url=${there('/')}">`));
  refused.page('/', moved(site.url('/a')));
  return {
    site,
    refused,
    there,
    moved,
    async [Symbol.asyncDispose]() {
      await Promise.all([site[Symbol.asyncDispose](), refused[Symbol.asyncDispose]()]);
    },
  };
}

describe('a threat policy', () => {
  for (const path of ['/redirect', '/refresh']) {
    test(`refuses a host reached by a redirect before it is contacted: ${path}`, async () => {
      await using sites = await startSites();
      const url = sites.site.url(path);
      const { status, code, error } = await trawl.refusal({ url, threatProtection, maxAge: 0 });
      assert.deepEqual({ status, code }, { status: 403, code: 'FORBIDDEN' });
      assert.match(error, /localhost is refused by threatProtection\.blacklist/);
      assert.equal(sites.refused.requests.length, 0);
      // Without the policy the redirects pass through that site, which neither end shows.
      const { metadata } = await trawl.scrape(url, { maxAge: 0 });
      assert.deepEqual([metadata.url, sites.refused.requests.length], [sites.site.url('/a'), 1]);
    });
  }

  test('refuses hosts to pages, sitemaps and robots.txt files of a crawl', async () => {
    await using sites = await startSites();
    const { site, refused } = sites;
    const sitemap = refused.page('/map.xml', 'urls').replace('127.0.0.1', 'localhost');
    site.page('/robots.txt', { headers: { 'content-type': 'text/plain' }, body: `Sitemap: ${sitemap}\n` });
    const crawled = await crawl(trawl, site.url('/'), { scrapeOptions: { threatProtection } });
    assert.deepEqual(crawled.paths, ['/', '/a']);
    assert.deepEqual(crawled.errors.map(({ url, code }) => `${code} ${url}`).sort(), [
      `FORBIDDEN ${site.url('/redirect')}`,
      `FORBIDDEN ${site.url('/refresh')}`,
      `FORBIDDEN ${sitemap}`,
    ]);
    assert.equal(refused.requests.length, 0);
  });

  test('refuses hosts to a batch, even when robots.txt redirects there and another batch has been there', async () => {
    await using sites = await startSites();
    const { site, refused, there, moved } = sites;
    refused.page('/robots.txt', { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nAllow: /\n' });
    site.page('/robots.txt', moved(there('/robots.txt')));
    const urls = [site.url('/a')];
    const free = await startBatch(trawl, { urls, maxAge: 0 });
    assert.equal((await finishedBatch(trawl, free.id)).completed, 1);
    const before = refused.requests.length;
    assert.equal(before, 1);

    const { id } = await startBatch(trawl, { urls, maxAge: 0, threatProtection, ignoreRobotsTxt: true });
    assert.equal((await finishedBatch(trawl, id)).completed, 1);
    const policed = await startBatch(trawl, { urls: [site.url('/redirect')], maxAge: 0, threatProtection });
    await finishedBatch(trawl, policed.id);
    const { errors } = await batchErrors(trawl, policed.id);
    assert.match(errors[0]?.error ?? '', /localhost is refused by threatProtection/);
    assert.equal(refused.requests.length, before);
  });

  test('refuses hosts to the robots.txt and the start of a map', async () => {
    await using sites = await startSites();
    const { site, refused, there, moved } = sites;
    site.page('/robots.txt', moved(there('/robots.txt')));
    assert.deepEqual((await map(trawl, site.url('/'), { threatProtection })).links[0]?.url, site.url('/'));
    const { status } = await trawl.post('/v2/map', { url: site.url('/redirect'), threatProtection });
    assert.equal(status, 403);
    assert.equal(refused.requests.length, 0);
  });
});
