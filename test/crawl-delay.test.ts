import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import { finishedCrawl, startCrawl } from './support/crawl.ts';
import { robotsTxt, siteOf } from './support/crawl-site.ts';
import { addLimitedTeam } from './support/limited-team.ts';
import { rowsIn } from './support/rows.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';

for (const { name, skip, create } of STORE_KINDS) {
  test(`${name}: a Crawl-delay that is not a whole number of milliseconds is obeyed, and stops no other job`, {
    skip,
  }, async () => {
    await using trawl = await startTrawlOn(create());
    const { key } = await addLimitedTeam(trawl.options, {});
    await using paced = await siteOf({ '/': ['/a', '/b'], '/a': [], '/b': [] });
    paced.page('/robots.txt', robotsTxt('User-agent: *', 'Crawl-delay: 0.3333'));
    await using other = await startSite();
    const urls = Array.from({ length: 40 }, (_, index) => other.page(`/${index}`, html(`<h1>${index}</h1>`)));

    const id = await startCrawl(trawl, { url: paced.start, scrapeOptions: { maxAge: 0 } });
    const batch = await startBatch(trawl, { urls, maxAge: 0 }, { key });
    const done = await finishedBatch(trawl, batch.id, { key });
    assert.deepEqual([done.status, done.completed, done.creditsUsed], ['completed', 40, 40]);
    const crawled = await finishedCrawl(trawl, id, paced.start);
    assert.deepEqual([crawled.paths, crawled.errors], [['/', '/a', '/b'], []]);
    const [host] = await rowsIn(trawl.options, 'select cast(delay as text) as delay from robots_paces');
    assert.equal(host?.delay, '334');
    const [lost] = await rowsIn(trawl.options, 'select cast(sum(losses) as text) as losses from job_tasks');
    assert.equal(lost?.losses, '0');
  });
}
