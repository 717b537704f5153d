import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { type BatchStatus, finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import * as hostile from './support/hostile.ts';
import { shared } from './support/shared.ts';
import { type Handler, html, portOf, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';

const FULL = process.env.TRAWL_TEST_FULL === '1';
const HOSTS = FULL ? 10_000 : 300;
const MANY = FULL ? 3_000 : 400;
const HUGE = FULL ? 100_000 : 10_000;
/** Per request. */
const MOST_URLS = 50_000;

const site = await shared(startSite());

for (const { name, skip, create } of STORE_KINDS) {
  describe(`large batches in ${name}`, { skip }, async () => {
    if (skip !== false) return;
    const trawl = await shared(startTrawlOn(create()));

    test(`${HOSTS} hosts in one batch`, { timeout: 600_000 }, async () => {
      await using everywhere = await startEverywhere();
      const urls = Array.from({ length: HOSTS }, (_, index) => everywhere.url(index));
      const { id } = await startBatch(trawl, { urls, maxAge: 0, ignoreRobotsTxt: true });
      const done = await finishedBatch(trawl, id);
      assert.deepEqual([done.status, done.completed, done.creditsUsed], ['completed', HOSTS, HOSTS]);
      assert.deepEqual(done.data.map(({ metadata }) => metadata.sourceURL).sort(), urls.sort());
      assert.equal(everywhere.hosts.size, HOSTS);
    });

    test('one whose sites do not answer does not delay others', async () => {
      await using everywhere = await startEverywhere(hostile.silence);
      const urls = Array.from({ length: 200 }, (_, index) => everywhere.url(index));
      const silent = await startBatch(trawl, { urls, maxAge: 0, ignoreRobotsTxt: true, timeout: 60_000 });
      await everywhere.seen(48);
      const small = await startBatch(trawl, { urls: Array(10).fill(site.page('/', html('<h1>Here</h1>'))), maxAge: 0 });
      assert.equal((await finishedBatch(trawl, small.id)).completed, 10);
      assert.equal(everywhere.hosts.size, 48, 'half of 96');
      await trawl.call('DELETE', `/v2/batch/scrape/${silent.id}`);
    });

    test('a small batch finishes early beside a very large one on the same host', {
      timeout: 300_000,
    }, async () => {
      const url = site.page('/', html('<h1>One of many</h1>'));
      const large = await startBatch(trawl, { urls: Array(MANY).fill(url), maxAge: 0 });
      const small = await startBatch(trawl, { urls: Array(10).fill(url), maxAge: 0 });
      assert.equal((await finishedBatch(trawl, small.id)).completed, 10);
      const { body } = await trawl.get<BatchStatus>(`/v2/batch/scrape/${large.id}?limit=1`);
      assert.ok(body.completed < MANY / 2, `${body.completed} of ${MANY}`);
      assert.equal((await finishedBatch(trawl, large.id)).completed, MANY);
    });

    test(`10 pages finish before 2 % of ${HUGE} pages on another host do, in the same batch and in another`, {
      timeout: 900_000,
    }, async () => {
      await using large = await countingSite(HUGE);
      await using small = await countingSite(10);
      await using other = await countingSite(10);
      const options = { maxAge: 0, ignoreRobotsTxt: true };
      const urls = [...large.urls, ...small.urls];
      const largeBefore = small.all.then(large.seen);
      const { id } = await startBatch(trawl, { urls: urls.slice(0, MOST_URLS), ...options });
      for (let at = MOST_URLS; at < urls.length; at += MOST_URLS) {
        await startBatch(trawl, { urls: urls.slice(at, at + MOST_URLS), appendToId: id });
      }
      const largeAtStart = large.seen();
      const alone = await startBatch(trawl, { urls: other.urls, ...options });
      assert.equal((await finishedBatch(trawl, alone.id)).completed, 10);
      const meanwhile = large.seen() - largeAtStart;
      assert.ok(meanwhile < HUGE / 50, `${meanwhile} pages of the large batch were asked for meanwhile`);
      assert.ok((await largeBefore) < HUGE / 50, `${await largeBefore} pages of the large host came before`);
      if (FULL) assert.equal((await finishedBatch(trawl, id)).completed, HUGE + 10);
      else await trawl.call('DELETE', `/v2/batch/scrape/${id}`);
    });
  });
}

/** A site with this many pages that counts how many of them were requested. */
async function countingSite(count: number) {
  const site = await startSite();
  const all = Promise.withResolvers<void>();
  let seen = 0;
  const page = html('<h1>One of many</h1>');
  site.page('/page', (_request, response) => {
    seen += 1;
    if (seen === count) all.resolve();
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  const urls = Array.from({ length: count }, (_, index) => site.url(`/page?${index}`));
  return Object.assign(site, { urls, all: all.promise, seen: () => seen });
}

/** One server behind every address of the loopback network. Each address is a separate host. */
async function startEverywhere(answer?: Handler) {
  const hosts = new Set<string>();
  const page = html('<h1>Here</h1>');
  let onRequest = () => {};
  const server = createServer((request, response) => {
    hosts.add(request.headers.host ?? '');
    onRequest();
    if (answer !== undefined) answer(request, response);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const port = portOf(server);
  return {
    hosts,
    /** Resolves once this many hosts have been requested. */
    seen: (count: number) =>
      new Promise<void>((resolve) => {
        onRequest = () => void (hosts.size >= count && resolve());
        onRequest();
      }),
    url: (index: number) => `http://127.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}:${port}/`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
