import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batchErrors, finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import { crawl } from './support/crawl.ts';
import { addTasks, sitemap, siteOf } from './support/crawl-site.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { startTrawl } from './support/trawl.ts';

const LONG = `http://${'a.'.repeat(200)}test/page`;
const LONG_PART = `http://${'a'.repeat(64)}.test/page`;

describe('an invalid host name', async () => {
  const trawl = await shared(startTrawl());
  const site = await shared(startSite());
  const here = site.page('/', html('<h1>Here</h1>'));

  for (const [what, url, says] of [
    ['over 253 characters', LONG, /The host name "a\.a.*…" has 404 characters; the limit is 253/],
    ['with a part over 63 characters', LONG_PART, /The part "a{50}…" of the host name has 64 characters/],
  ] as const) {
    for (const [path, body, field] of [
      ['/v2/scrape', { url }, 'url'],
      ['/v1/scrape', { url }, 'url'],
      ['/v2/batch/scrape', { urls: [here, url], ignoreInvalidURLs: false }, 'urls'],
      ['/v1/batch/scrape', { urls: [here, url] }, 'urls'],
      ['/v2/crawl', { url }, 'url'],
      ['/v1/crawl', { url }, 'url'],
      ['/v2/map', { url }, 'url'],
      ['/v1/map', { url }, 'url'],
      ['/v2/batch/scrape', { urls: [here], webhook: url }, 'webhook'],
    ] as const) {
      test(`${what} is refused by ${path} in "${field}"`, async () => {
        const { status, body: answer } = await trawl.post(path, body);
        assert.equal(status, 400, JSON.stringify(answer));
        assert.match(answer.error, says);
        assert.equal(answer.details?.[0]?.path[0], field);
      });
    }
  }

  test('is left out of a batch that ignores invalid addresses', async () => {
    const { id, invalidURLs } = await startBatch(trawl, { urls: [here, LONG], ignoreInvalidURLs: true });
    assert.deepEqual(invalidURLs, [LONG]);
    assert.equal((await finishedBatch(trawl, id)).completed, 1);
  });

  test('is not followed as a redirect target', async () => {
    const url = site.page('/away', { status: 302, headers: { location: LONG } });
    const { status, code, error } = await trawl.refusal({ url, maxAge: 0 });
    assert.deepEqual([status, code], [500, 'SCRAPE_DNS_RESOLUTION_ERROR']);
    assert.match(error, /the limit is 253\. \(127\.0\.0\.1:\d+ redirects there\.\)/);
    const { id } = await startBatch(trawl, { urls: [url], maxAge: 0 });
    await finishedBatch(trawl, id);
    assert.equal((await batchErrors(trawl, id)).errors[0]?.code, 'SCRAPE_DNS_RESOLUTION_ERROR');
  });

  test('is not listed as a link of a page', async () => {
    const url = site.page('/links', html(`<p>See <a href="${LONG}">this</a> and <a href="/there">that</a>.</p>`));
    const { links } = await trawl.scrape(url, { formats: ['links'] });
    assert.deepEqual(links, [site.url('/there')]);
  });
});

for (const { name, skip, create } of STORE_KINDS) {
  test(`${name}: a crawl skips links, canonical addresses and sitemap entries with such names`, {
    skip,
  }, async () => {
    await using trawl = await startTrawlOn(create());
    await using site = await siteOf({ '/': [LONG, LONG_PART, '/a'], '/b': [] });
    addTasks(site, { '/a': ['/'] });
    site.page('/sitemap.xml', sitemap([LONG, site.url('/b')]));
    const done = await crawl(trawl, site.start, { allowExternalLinks: true, crawlEntireDomain: true });
    assert.deepEqual([done.paths, done.errors], [['/', '/a', '/b'], []]);
  });
}
