import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addLimitedTeam } from './support/limited-team.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
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
