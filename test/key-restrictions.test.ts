import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { startBatch } from './support/batch.ts';
import { startCrawl } from './support/crawl.ts';
import { addLimitedTeam } from './support/limited-team.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { newKeyRow } from './support/store-rows.ts';
import { withStoreOf } from './support/team.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/', html('<h1>For some eyes</h1><p>And for some formats.</p>'));
const limited = (given: object) => addLimitedTeam({ dataDir: trawl.dataDir }, given);

describe('a key that may ask for some formats', () => {
  const cases: { name: string; formats: unknown; refused?: RegExp }[] = [
    { name: 'gets them', formats: ['markdown', 'links'] },
    { name: 'gets them as objects', formats: [{ type: 'links' }] },
    { name: 'gets the default, which is one of them', formats: undefined },
    {
      name: 'gets no other',
      formats: ['html'],
      refused: /may not ask for the format html\. It may ask for: markdown, links/,
    },
    {
      name: 'gets no other beside them',
      formats: ['markdown', 'rawHtml', 'images'],
      refused: /format rawHtml, images\./,
    },
    {
      name: 'gets no other as an object',
      formats: [{ type: 'attributes', selectors: [{ selector: 'h1', attribute: 'id' }] }],
      refused: /format attributes\./,
    },
  ];
  for (const { name, formats, refused } of cases) {
    test(name, async () => {
      const { key } = await limited({ formats: ['markdown', 'links'] });
      const before = site.requests.length;
      const { status, body } = await trawl.post('/v2/scrape', { url, formats, maxAge: 0 }, { key });
      if (refused === undefined) return assert.equal(status, 200);
      assert.deepEqual({ status, code: body.code }, { status: 403, code: 'FORBIDDEN' });
      assert.match(body.error, refused);
      assert.equal(site.requests.length, before, 'nothing is fetched');
    });
  }

  test('gets no other on v1 either', async () => {
    const { key } = await limited({ formats: ['links'] });
    assert.equal((await trawl.post('/v1/scrape', { url, formats: ['links'] }, { key })).status, 200);
    const { status, body } = await trawl.post('/v1/scrape', { url }, { key });
    assert.equal(status, 403);
    assert.match(body.error, /format markdown\. It may ask for: links/);
  });

  test('gets nothing when there are none', async () => {
    const { key } = await limited({ formats: [] });
    const { status, body } = await trawl.post('/v2/scrape', { url }, { key });
    assert.equal(status, 403);
    assert.match(body.error, /It may ask for: nothing/);
  });
});

describe('a key for one kind of jobs', () => {
  test('follows it where the v1 client follows both, and sees no other', async () => {
    const { key: all, teamId } = await limited({});
    const key = `fc-${randomBytes(16).toString('hex')}`;
    const hash = createHash('sha256').update(key).digest('hex');
    const endpointGroups = JSON.stringify(['batch']);
    await withStoreOf(trawl.dataDir, (store) =>
      store.keys.add(newKeyRow(teamId, { name: 'batch', hash, endpointGroups })),
    );
    const batch = await startBatch(trawl, { urls: [url] }, { key });
    assert.equal((await trawl.get(`/v1/crawl/${batch.id}`, { key })).status, 200);
    const crawl = await startCrawl(trawl, { url, limit: 1 }, { key: all });
    for (const path of [`/v1/crawl/${crawl}`, `/v2/crawl/${crawl}`, `/v1/crawl/${crawl}/errors`, '/v2/crawl/active']) {
      assert.equal((await trawl.get(path, { key })).status, 403, path);
      assert.equal((await trawl.get(path, { key: all })).status, 200, path);
    }
  });
});

describe('a key that may call some operations', () => {
  test('calls these, in every version, and asks for their results', async () => {
    const { key } = await limited({ endpointGroups: ['crawl', 'scrape'] });
    const { metadata } = await trawl.scrape(url, {}, { key });
    await trawl.scrape(url, {}, { key, version: 'v1' });
    assert.equal((await trawl.get(`/v2/scrape/${metadata.scrapeId}`, { key })).status, 200);
  });

  test('calls no others: the refusal comes before the body is read, and names what it may', async () => {
    const { key } = await limited({ endpointGroups: ['crawl', 'map'] });
    const before = site.requests.length;
    for (const [method, path, body] of [
      ['POST', '/v2/scrape', '{"url": '],
      ['POST', '/v1/scrape', { url }],
      ['GET', '/v2/scrape/not-an-id', undefined],
    ] as const) {
      const answer = await trawl.call(method, path, body, { key });
      assert.deepEqual({ status: answer.status, code: answer.body.code }, { status: 403, code: 'FORBIDDEN' });
      assert.match(answer.body.error, /operations of "scrape"\. It may call: crawl, map/);
    }
    assert.equal(site.requests.length, before);
  });
});
