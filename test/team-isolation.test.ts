import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finishedBatch, startBatch } from './support/batch.ts';
import { finishedCrawl, startCrawl } from './support/crawl.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { addTeam } from './support/team.ts';
import { KEY, startTrawl } from './support/trawl.ts';

interface OpenApi {
  paths: Record<string, Record<string, { security?: object[] }>>;
}

/** Only in the data of the owner of the key. */
const MARK = 'wombat-burrow';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page(`/${MARK}`, html(`<h1>${MARK}</h1>`));
const { metadata } = await trawl.scrape(url, { origin: MARK });
const webhook = site.page(`/${MARK}/hook`, '');
const batch = await startBatch(trawl, { urls: [url], origin: MARK, webhook });
await finishedBatch(trawl, batch.id);
const crawl = await startCrawl(trawl, { url, limit: 1, sitemap: 'skip', origin: MARK, webhook });
await finishedCrawl(trawl, crawl, url);
const otherKey = await addTeam(trawl.dataDir, 'other');

/** An id of the owner for each path parameter. A route without an entry here fails: add an id that exists. */
const IDS: Record<string, string> = { '/v2/scrape/{jobId}': metadata.scrapeId };
for (const version of ['v1', 'v2']) {
  for (const end of ['', '/errors', '/webhook']) {
    IDS[`/${version}/batch/scrape/{id}${end}`] = batch.id;
    IDS[`/${version}/crawl/{id}${end}`] = crawl;
  }
}

const document: OpenApi = JSON.parse(await (await fetch(`${trawl.address}/openapi.json`)).text());
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { security }]) => security !== undefined)
    .map(([method]) => ({ method: method.toUpperCase(), path })),
);

describe("what belongs to a team is invisible to another team's key", () => {
  test('covers operations with and without ids', () => {
    assert.ok(operations.some(({ path }) => path.includes('{')));
    assert.ok(operations.length > 5);
  });

  for (const { method, path } of operations) {
    if (path.includes('{')) {
      test(`${method} ${path} is a 404, the same as for an unknown id`, async () => {
        const id = IDS[path];
        assert.ok(id !== undefined, 'say in this test which id of the owner stands for the parameter');
        const answer = (key: string, given: string) =>
          trawl.call(method, path.replace(/\{\w+\}/, given), undefined, { key });
        const [theirs, none] = [
          await answer(otherKey, id),
          await answer(otherKey, '01890000-0000-7000-8000-000000000000'),
        ];
        assert.equal(theirs.status, 404);
        assert.deepEqual(theirs.body, none.body);
        // A completed job cannot be cancelled: 409.
        const { status } = await answer(KEY, id);
        assert.ok(status === 200 || (method === 'DELETE' && status === 409), 'the owner still has it');
      });
      continue;
    }
    test(`${method} ${path} reveals nothing about the owner`, async () => {
      const response = await fetch(trawl.address + path, {
        method,
        headers: { authorization: `Bearer ${otherKey}`, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      const told = await response.text();
      for (const trace of [MARK, metadata.scrapeId, batch.id]) assert.ok(!told.includes(trace), trace);
    });
  }

  test('and the answers to the owner do contain the traces that are searched for', async () => {
    const { body } = await trawl.get('/v2/team/activity');
    for (const trace of [MARK, metadata.scrapeId, batch.id]) assert.ok(JSON.stringify(body).includes(trace), trace);
  });

  test('even when the other team requests the same page from the cache', async () => {
    const { status } = await trawl.post('/v2/scrape', { url, lockdown: true }, { key: otherKey });
    assert.equal(status, 404);
  });
});
