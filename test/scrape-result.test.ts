import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useClock } from '../src/clock.ts';
import { articlePage } from './support/article.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { addTeam } from './support/team.ts';
import { KEY, startTrawl } from './support/trawl.ts';

const HOUR = 3_600_000;

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/', articlePage());

describe('GET /v2/scrape/{id}', () => {
  test('returns the same result again without another fetch', async () => {
    const document = await trawl.scrape(url, { formats: ['markdown', 'html', 'links'], maxAge: 0 });
    const before = site.requests.length;
    const { status, body } = await trawl.get(`/v2/scrape/${document.metadata.scrapeId}`);
    assert.equal(status, 200);
    assert.deepEqual(body.data, document);
    assert.equal(site.requests.length, before);
  });

  test('returns results of version 1 too', async () => {
    const document = await trawl.scrape(url, {}, { version: 'v1' });
    const { body } = await trawl.get(`/v2/scrape/${document.metadata.scrapeId}`);
    assert.deepEqual(body.data, document);
  });

  test('returns a result served from the cache as it was served', async () => {
    await trawl.scrape(url);
    const document = await trawl.scrape(url, { redactPII: true });
    assert.equal(document.metadata.cacheState, 'hit');
    const { body } = await trawl.get(`/v2/scrape/${document.metadata.scrapeId}`);
    assert.deepEqual(body.data, document);
  });

  test('is a 404 for an id that does not exist', async () => {
    const { status, body } = await trawl.get('/v2/scrape/01890000-0000-7000-8000-000000000000');
    assert.equal(status, 404);
    assert.equal(body.code, 'NOT_FOUND');
  });

  test('is the same 404 for the id of another team', async () => {
    const otherKey = await addTeam(trawl.dataDir, 'other');
    const document = await trawl.scrape(url);
    const id = document.metadata.scrapeId;
    const theirs = await trawl.get(`/v2/scrape/${id}`, { key: otherKey });
    const nobodys = await trawl.get('/v2/scrape/01890000-0000-7000-8000-000000000000', { key: otherKey });
    assert.equal(theirs.status, 404);
    assert.equal(theirs.body.code, nobodys.body.code);
    assert.equal((await trawl.get(`/v2/scrape/${id}`)).status, 200);
  });

  test('is a 404 once the result has expired', async () => {
    const { metadata } = await trawl.scrape(url);
    const restore = useClock(() => Date.now() + 25 * HOUR);
    try {
      const { status } = await trawl.get(`/v2/scrape/${metadata.scrapeId}`);
      assert.equal(status, 404);
    } finally {
      restore();
    }
  });
});

describe('two teams', () => {
  test('do not share cached pages', async () => {
    const otherKey = await addTeam(trawl.dataDir, 'neighbours');
    let visits = 0;
    const counted = site.page('/counted', (_request, response) => {
      visits += 1;
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(`<h1>Visit ${visits}</h1>`));
    });
    await trawl.scrape(counted);
    const theirs = await trawl.scrape(counted, {}, { key: otherKey });
    assert.equal(theirs.metadata.cacheState, 'miss');
    assert.match(theirs.markdown ?? '', /Visit 2/);
    const lockdown = await trawl.scrape(counted, { lockdown: true }, { key: KEY });
    assert.match(lockdown.markdown ?? '', /Visit 1/);
  });

  test('do not see in lockdown what only the other has scraped', async () => {
    const otherKey = await addTeam(trawl.dataDir, 'onlookers');
    const seen = site.page('/seen', html('<h1>Seen</h1>'));
    await trawl.scrape(seen);
    const { status, code } = await trawl.refusal({ url: seen, lockdown: true }, { key: otherKey });
    assert.deepEqual({ status, code }, { status: 404, code: 'SCRAPE_LOCKDOWN_CACHE_MISS' });
  });
});
