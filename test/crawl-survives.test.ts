import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { finishedCrawl, startCrawl } from './support/crawl.ts';
import { linking, robotsTxt, sitemap } from './support/crawl-site.ts';
import * as hostile from './support/hostile.ts';
import { FourProcesses, OneProcess } from './support/job-processes.ts';
import { Random } from './support/random.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';

const FULL = process.env.TRAWL_TEST_FULL === '1';
const KILLS = FULL ? 20 : 3;
const PAGES = FULL ? 5_000 : 500;

/**
 * Pages that each lead to some others and back: by links the first half, by the sitemap the rest. Some give no result:
 * they fail, redirect to another one, or robots.txt keeps them out.
 */
const site = await shared(startSite());
const path = (index: number) => (index % 50 === 13 ? `/private/${index}` : `/${index}`);
const LINKED = Math.floor(PAGES / 2);
for (let index = 0; index < PAGES; index++) {
  const next = [1, 2, 7, 40].map((step) => index + step).filter((other) => other < LINKED || index >= LINKED);
  const links = [...next.filter((other) => other < PAGES).map(path), '/0', '/1'];
  if (index % 50 === 9) site.page(path(index), hostile.notHttp);
  else if (index % 50 === 11) site.page(path(index), { status: 301, headers: { location: path(index + 1) } });
  else site.page(path(index), linking(path(index), links));
}
site.page('/robots.txt', robotsTxt('User-agent: *', 'Disallow: /private/', 'Sitemap: /sitemap.xml'));
const late = Array.from({ length: PAGES - LINKED }, (_, index) => site.url(path(LINKED + index)));
site.page('/sitemap.xml', sitemap(late));
const indexes = Array.from({ length: PAGES }, (_, index) => index);
const pathsWhere = (rest: (ending: number) => boolean) => indexes.filter((index) => rest(index % 50)).map(path);
const given = pathsWhere((ending) => ![9, 11, 13].includes(ending));
const failing = pathsWhere((ending) => ending === 9);
const blocked = pathsWhere((ending) => ending === 13);

describe('a crawl through kill -9 of random processes', () => {
  for (const { name, skip, create } of STORE_KINDS) {
    test(`${name}: no page is lost, doubled or charged twice`, { skip, timeout: 600_000 }, async () => {
      await using place = await create();
      const random = new Random(2_10);
      await using processes = name === 'SQLite' ? new OneProcess(place) : new FourProcesses(place);
      await processes.start();
      const start = site.url('/0');
      const scrapeOptions = { maxAge: 0, onlyMainContent: false };
      const id = await startCrawl(processes.api, { url: start, limit: PAGES, crawlEntireDomain: true, scrapeOptions });
      for (let kill = 0; kill < KILLS; kill++) {
        await seenSince(20 + random.below(Math.floor(PAGES / KILLS / 2)));
        await processes.killOne(random);
      }
      const done = await finishedCrawl(processes.api, id, start);
      assert.equal(done.status, 'completed');
      assert.deepEqual(done.paths, [...given].sort());
      assert.deepEqual(done.errors.map(({ url }) => url).sort(), failing.map(site.url).sort());
      assert.deepEqual(done.robotsBlocked.sort(), blocked.map(site.url).sort());
      assert.deepEqual([done.completed, done.creditsUsed], [given.length, given.length]);
      assert.equal(done.total, given.length + failing.length);

      const count = async (query: string) => Number((await rowsIn(place.options, query))[0]?.count);
      assert.equal(
        await count("select cast(count(*) as text) as count from charges where capability = 'crawl'"),
        given.length,
      );
      assert.equal(await count('select cast(sum(waiting + running) as text) as count from job_teams'), 0);
      assert.equal(await count('select cast(sum(waiting + running) as text) as count from job_lanes'), 0);
      assert.equal(await count('select cast(count(*) as text) as count from job_pages where state < 2'), 0);
      // Every place is taken by a result, or free.
      assert.equal(await count('select cast(page_room as text) as count from job_progress'), PAGES - given.length);
    });
  }
});

/** Waits until the site has seen so many more requests, or the work is at its end. */
async function seenSince(more: number): Promise<void> {
  const goal = site.requests.length + more;
  const until = performance.now() + 3_000;
  while (site.requests.length < goal && performance.now() < until) await sleep(5);
}
