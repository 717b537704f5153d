import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import type { NewKey } from '../src/store/operations/keys.ts';
import { finishedBatch, startBatch } from './support/batch.ts';
import { finishedCrawl, startCrawl } from './support/crawl.ts';
import { addLimitedTeam } from './support/limited-team.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { newKeyRow } from './support/store-rows.ts';
import { openStream, streamedSources } from './support/stream.ts';
import { withStoreOf } from './support/team.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/', html('<h1>For some eyes</h1><p>And for some formats.</p>'));
const limited = (given: object) => addLimitedTeam({ dataDir: trawl.dataDir }, given);

describe('a key that may request some formats', () => {
  const cases: { name: string; formats: unknown; refused?: RegExp }[] = [
    { name: 'gets them', formats: ['markdown', 'links'] },
    { name: 'gets them as objects', formats: [{ type: 'links' }] },
    { name: 'gets the default, which is one of them', formats: undefined },
    {
      name: 'gets no other',
      formats: ['html'],
      refused: /may not request the format html\. It may request: markdown, links/,
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
    assert.match(body.error, /format markdown\. It may request: links/);
  });

  test('gets nothing when the list is empty', async () => {
    const { key } = await limited({ formats: [] });
    const { status, body } = await trawl.post('/v2/scrape', { url }, { key });
    assert.equal(status, 403);
    assert.match(body.error, /It may request: nothing/);
  });
});

/** Adds a key with these restrictions to the team. */
async function addKey(teamId: string, restrictions: Pick<Partial<NewKey>, 'formats' | 'endpointGroups'>) {
  const key = `fc-${randomBytes(16).toString('hex')}`;
  const hash = createHash('sha256').update(key).digest('hex');
  await withStoreOf(trawl.dataDir, (store) => store.keys.add(newKeyRow(teamId, { hash, ...restrictions })));
  return key;
}

describe('a key that may read some formats', async () => {
  const { key: all, teamId } = await limited({});
  const reader = await addKey(teamId, { formats: JSON.stringify(['markdown', 'links']) });
  const refusal = /may not request the format rawHtml\. It may request: markdown, links/;
  const open = { formats: ['markdown'], maxAge: 0 };
  const closed = { formats: ['markdown', 'rawHtml'], maxAge: 0 };

  /** Requests a result with other formats, and one without any. */
  async function readsOnly(paths: { open: string; closed: string }): Promise<void> {
    assert.equal((await trawl.get(paths.open, { key: reader })).status, 200);
    const { status, body } = await trawl.get(paths.closed, { key: reader });
    assert.deepEqual({ status, code: body.code }, { status: 403, code: 'FORBIDDEN' });
    assert.match(body.error, refusal);
    assert.equal((await trawl.get(paths.closed, { key: all })).status, 200);
  }

  test('sees no others in the result of a scrape', async () => {
    const scraped = async (options: object) =>
      `/v2/scrape/${(await trawl.scrape(url, options, { key: all })).metadata.scrapeId}`;
    await readsOnly({ open: await scraped(open), closed: await scraped(closed) });
  });

  test('sees no others in the status of a batch, at every path, running or ended', async () => {
    const one = await startBatch(trawl, { urls: [url], ...open }, { key: all });
    const other = await startBatch(trawl, { urls: [url], ...closed }, { key: all });
    for (const { id } of [one, other]) await finishedBatch(trawl, id, { key: all });
    for (const path of ['/v2/batch/scrape', '/v1/batch/scrape', '/v1/crawl']) {
      await readsOnly({ open: `${path}/${one.id}`, closed: `${path}/${other.id}` });
    }
  });

  test('sees no others in the status or the stream of a crawl', async () => {
    const crawled = async (scrapeOptions: object) => {
      const id = await startCrawl(trawl, { url, limit: 1, scrapeOptions }, { key: all });
      await finishedCrawl(trawl, id, url, { key: all });
      return id;
    };
    const [one, other] = [await crawled(open), await crawled(closed)];
    for (const version of ['v1', 'v2']) {
      await readsOnly({ open: `/${version}/crawl/${one}`, closed: `/${version}/crawl/${other}` });
      const streamed = async (id: string) => {
        const { ended, messages } = openStream(`${trawl.address}/${version}/crawl/${id}`, reader);
        await ended;
        return streamedSources(messages).length;
      };
      assert.deepEqual([await streamed(one), await streamed(other)], [1, 0], version);
    }
  });

  test('cannot add to a batch that has other formats', async () => {
    await using held = await startSite();
    const answer = Promise.withResolvers<void>();
    const slow = held.page('/', (_request, response) => void answer.promise.then(() => response.end('at last')));
    const visits = () => site.requests.filter(({ path }) => path === '/').length;
    const before = visits();
    const [one, other] = [
      await startBatch(trawl, { urls: [slow], ...open }, { key: all }),
      await startBatch(trawl, { urls: [slow], ...closed }, { key: all }),
    ];
    const append = (appendToId: string) =>
      trawl.post('/v2/batch/scrape', { urls: [url], appendToId, ...open }, { key: reader });
    assert.equal((await append(one.id)).status, 200);
    const { status, body } = await append(other.id);
    assert.deepEqual({ status, code: body.code }, { status: 403, code: 'FORBIDDEN' });
    assert.match(body.error, refusal);
    answer.resolve();
    assert.deepEqual((await finishedBatch(trawl, one.id, { key: all })).total, 2);
    assert.deepEqual((await finishedBatch(trawl, other.id, { key: all })).total, 1);
    assert.equal(visits(), before + 1);
  });

  test('sees nothing of a job whose formats are unknown', async () => {
    const { id } = await startBatch(trawl, { urls: [url], ...open }, { key: all });
    await finishedBatch(trawl, id, { key: all });
    const database = new DatabaseSync(join(trawl.dataDir, 'trawl.db'));
    database.prepare('update jobs set formats = null where id = ?').run(id);
    database.close();
    assert.equal((await trawl.get(`/v2/batch/scrape/${id}`, { key: reader })).status, 403);
    assert.equal((await trawl.get(`/v2/batch/scrape/${id}`, { key: all })).status, 200);
  });
});

describe('a key for one kind of job', () => {
  test('can poll that kind at the address the v1 client uses for both, and sees no other', async () => {
    const { key: all, teamId } = await limited({});
    const key = await addKey(teamId, { endpointGroups: JSON.stringify(['batch']) });
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
  test('can call these in every version and fetch their results', async () => {
    const { key } = await limited({ endpointGroups: ['crawl', 'scrape'] });
    const { metadata } = await trawl.scrape(url, {}, { key });
    await trawl.scrape(url, {}, { key, version: 'v1' });
    assert.equal((await trawl.get(`/v2/scrape/${metadata.scrapeId}`, { key })).status, 200);
  });

  test('can call no others: it is refused before the body is read, with the list of allowed operations', async () => {
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
