import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishedCrawl, startCrawl } from './support/crawl.ts';
import { linking } from './support/crawl-site.ts';
import { settingsOf } from './support/rows.ts';
import { startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { startTrawl } from './support/trawl.ts';

/** Different queries of one path that are accepted as pages; the start is not one of them. */
const MOST_WAYS = 100;
/** Found by pages that were in progress at the same time. */
const UNDER_WAY = 10;

for (const { name, skip, create } of STORE_KINDS) {
  test(`a trap in ${name} is detected as early by several processes that come and go as by one`, { skip }, async () => {
    await using location = await create();
    await using site = await startSite();
    const half = Promise.withResolvers<void>();
    site.page('/shop', (request, response) => {
      const way = Number(/\?filter(\d+)=/.exec(request.url ?? '')?.[1] ?? 0);
      if (way === MOST_WAYS / 2) half.resolve();
      const next = [1, 2, 3].map((step) => `/shop?filter${way + step}=on`);
      response.writeHead(200, { 'content-type': 'text/html' }).end(linking('/shop', next));
    });
    const processes = name === 'SQLite' ? 1 : 3;
    const start = () => startTrawl(settingsOf(location.options));
    const before = await Promise.all(Array.from({ length: processes }, start));
    const [first] = before;
    assert.ok(first);
    const url = site.url('/shop');
    const id = await startCrawl(first, { url, limit: 500, sitemap: 'skip', scrapeOptions: { maxAge: 0 } });
    await half.promise;
    await Promise.all(before.map((trawl) => trawl[Symbol.asyncDispose]()));

    await using trawl = await start();
    const { completed, errors } = await finishedCrawl(trawl, id, url);
    assert.ok(completed > MOST_WAYS && completed <= 1 + MOST_WAYS + UNDER_WAY, `${completed} pages`);
    const [trap] = errors;
    assert.equal(trap?.code, 'CRAWL_TRAP');
    assert.match(trap.error, /The crawl already has \d+ variants of .*\/shop: combined filters have no end/);
  });
}
