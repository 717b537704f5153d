import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { finishedCrawl, startCrawl } from './support/crawl.ts';
import { linking, robotsTxt, sitemap } from './support/crawl-site.ts';
import { temporaryFolder } from './support/folder.ts';
import * as hostile from './support/hostile.ts';
import { FiveProcesses, OneProcess } from './support/job-processes.ts';
import { findPrograms, PostgresServer } from './support/postgres-server.ts';
import { Random } from './support/random.ts';
import { startReceiver, told } from './support/receiver.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { startSite } from './support/site.ts';

const FULL = process.env.TRAWL_TEST_FULL === '1';
const KILLS = FULL ? 30 : 4;
const PAGES = FULL ? 2_000 : 300;
/** Killed processes are restarted after up to this many milliseconds: longer than any lease, or shortly. */
const PAUSES = FULL ? ([1_000, 5_000, 20_000] as const) : ([500] as const);
/** TRAWL_TEST_SEED selects another random sequence. */
const SEED = Number(process.env.TRAWL_TEST_SEED ?? 2_10);

/**
 * Pages that link to some others and back. The first half is found by links, the rest by the sitemap. Some give no
 * result: they fail, redirect to another page, or are disallowed by robots.txt.
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

const receiver = await shared(startReceiver());
const programs = findPrograms();
const STORES = {
  SQLite: {
    skip: false,
    async open() {
      const folder = await temporaryFolder();
      const options = { dataDir: folder.path };
      return { options, processes: new OneProcess({ options }), remove: () => folder[Symbol.asyncDispose]() };
    },
  },
  /** Includes its own server, which is killed like the other processes. */
  PostgreSQL: {
    skip: programs === undefined && 'no programs of PostgreSQL: install them (on Debian: apt-get install postgresql)',
    async open() {
      const server = new PostgresServer(programs ?? '');
      const options = { databaseUrl: server.url, dataDir: 'unused' };
      return { options, processes: new FiveProcesses(server), remove: () => server[Symbol.asyncDispose]() };
    },
  },
};

describe('a crawl through kill -9 of random processes', () => {
  for (const [name, { skip, open }] of Object.entries(STORES)) {
    test(`${name}: no page or event is lost, and no page is returned or charged twice`, {
      skip,
      timeout: FULL ? 1_500_000 : 180_000,
    }, async (t) => {
      await using opened = new AsyncDisposableStack();
      const { options, processes, remove } = await open();
      opened.defer(remove);
      opened.use(processes);
      const random = new Random(SEED);
      t.diagnostic(`seed ${SEED}`);
      await processes.start();
      const began = performance.now();
      const start = site.url('/0');
      const webhook = receiver.url(`/${name}`);
      const scrapeOptions = { maxAge: 0, onlyMainContent: false };
      const id = await startCrawl(processes.api, {
        url: start,
        limit: PAGES,
        crawlEntireDomain: true,
        scrapeOptions,
        webhook,
      });
      const kills: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        await seenSince(20 + random.below(Math.floor(PAGES / KILLS / 2)));
        kills.push(await processes.kill(random, random.pick(PAUSES)));
      }
      const done = await finishedCrawl(processes.api, id, start);
      const crawled = performance.now();
      assert.equal(done.status, 'completed');
      assert.deepEqual(done.paths, [...given].sort());
      assert.deepEqual(done.errors.map(({ url }) => url).sort(), failing.map(site.url).sort());
      assert.deepEqual(done.robotsBlocked.sort(), blocked.map(site.url).sort());
      const ended = given.length + failing.length;
      assert.deepEqual([done.total, done.completed, done.creditsUsed], [ended, ended, given.length]);

      const count = async (query: string) => Number((await rowsIn(options, query))[0]?.count);
      assert.equal(
        await count("select cast(count(*) as text) as count from charges where capability = 'crawl'"),
        given.length,
      );
      assert.equal(await count('select cast(sum(waiting + running) as text) as count from job_teams'), 0);
      assert.equal(await count('select cast(sum(waiting + running) as text) as count from job_lanes'), 0);
      assert.equal(await count('select cast(count(*) as text) as count from job_tasks where state < 2'), 0);
      // Every slot is either taken by a result or free.
      assert.equal(await count('select cast(task_room as text) as count from job_progress'), PAGES - given.length);

      const received = await receiver.until((all) => all.at(-1)?.event.type === 'crawl.completed', `/${name}`);
      // A repeated event arrives twice in a row.
      const once = received.filter(({ event }, index) => event.webhookId !== received[index - 1]?.event.webhookId);
      const [started, ...events] = told(once);
      assert.deepEqual([started, events.pop()], ['started', 'completed']);
      const pages = once.filter(({ event }) => event.type === 'crawl.page');
      const sourcesOf = (success: boolean) =>
        pages.filter(({ event }) => event.success === success).map(({ event }) => event.data[0]?.metadata.sourceURL);
      assert.deepEqual(
        sourcesOf(true),
        done.data.map(({ metadata }) => metadata.sourceURL),
      );
      assert.deepEqual(sourcesOf(false).sort(), failing.map(site.url).sort());
      t.diagnostic(
        `${Object.entries(Object.groupBy(kills, (kind) => kind)).map(([kind, all]) => `${all?.length} times ${kind}`)}; ` +
          `crawled in ${seconds(crawled - began)} s, told in ${seconds(performance.now() - began)} s, ` +
          `${site.requests.length} requests, ${received.length - once.length} events came twice`,
      );
    });
  }
});

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

/** Waits until the site has seen this many more requests, or the work has ended. */
async function seenSince(more: number): Promise<void> {
  const goal = site.requests.length + more;
  const until = performance.now() + 3_000;
  while (site.requests.length < goal && performance.now() < until) await sleep(5);
}
