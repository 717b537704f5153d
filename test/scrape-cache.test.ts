import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useClock } from '../src/clock.ts';
import { temporaryFolder } from './support/folder.ts';
import { shared } from './support/shared.ts';
import { html, type Site, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const site = await shared(startSite());
const trawl = await shared(startTrawl());

/** A page that shows how often it was fetched. */
function countingPage(path: string, on: Site = site): string {
  let visits = 0;
  return on.page(path, (_request, response) => {
    visits += 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html(`<h1>Visit ${visits}</h1>`));
  });
}

/** As if this much time had passed. */
function later(ms: number): Disposable {
  const restore = useClock(() => Date.now() + ms);
  return { [Symbol.dispose]: restore };
}

/** Whether a scrape was served from the cache, and the visit it shows. */
async function visit(url: string, options: object = {}, version = 'v2') {
  const { markdown, metadata } = await trawl.scrape(url, options, { version });
  return `${metadata.cacheState} ${/Visit (\d+)/.exec(markdown ?? '')?.[1]}`;
}

describe('maxAge', () => {
  test('a second scrape is served from the copy of the first, and gives the age of the copy', async () => {
    const url = countingPage('/second');
    const before = Date.now();
    const first = await trawl.scrape(url);
    const after = Date.now();
    assert.equal(first.metadata.cacheState, 'miss');
    assert.equal(first.metadata.cachedAt, undefined);
    const second = await trawl.scrape(url);
    assert.equal(second.metadata.cacheState, 'hit');
    assert.equal(second.markdown, first.markdown);
    assert.notEqual(second.metadata.scrapeId, first.metadata.scrapeId);
    const cachedAt = Date.parse(second.metadata.cachedAt ?? '');
    assert.ok(cachedAt >= before && cachedAt <= after);
  });

  test('0 always fetches, and refreshes the copy', async () => {
    const url = countingPage('/fresh');
    assert.equal(await visit(url), 'miss 1');
    assert.equal(await visit(url, { maxAge: 0 }), 'miss 2');
    assert.equal(await visit(url), 'hit 2');
  });

  test('an older copy is not served', async () => {
    const url = countingPage('/older');
    assert.equal(await visit(url), 'miss 1');
    using _time = later(2 * HOUR);
    assert.equal(await visit(url, { maxAge: 3 * HOUR }), 'hit 1');
    assert.equal(await visit(url, { maxAge: HOUR }), 'miss 2');
  });

  test('defaults to two days', async () => {
    const url = countingPage('/two-days');
    assert.equal(await visit(url), 'miss 1');
    {
      using _time = later(2 * DAY - HOUR);
      assert.equal(await visit(url), 'hit 1');
    }
    using _time = later(2 * DAY + HOUR);
    assert.equal(await visit(url), 'miss 2');
  });

  test('defaults to 0 in version 1', async () => {
    const url = countingPage('/version-1');
    assert.equal(await visit(url, {}, 'v1'), 'miss 1');
    assert.equal(await visit(url, {}, 'v1'), 'miss 2');
    assert.equal(await visit(url, { maxAge: HOUR }, 'v1'), 'hit 2');
  });
});

describe('a copy serves', () => {
  test('every format, tag and cleaning option', async () => {
    const url = countingPage('/formats');
    await trawl.scrape(url);
    const { metadata, links, rawHtml } = await trawl.scrape(url, {
      formats: ['links', 'rawHtml'],
      onlyMainContent: false,
    });
    assert.equal(metadata.cacheState, 'hit');
    assert.deepEqual(links, []);
    assert.match(rawHtml ?? '', /Visit 1/);
  });

  test('both versions of the API', async () => {
    const url = countingPage('/both');
    assert.equal(await visit(url), 'miss 1');
    // Version 1 verifies certificates by default, and a copy must match that option.
    assert.equal(await visit(url, { maxAge: HOUR, skipTlsVerification: true }, 'v1'), 'hit 1');
  });

  test('an address with another fragment', async () => {
    const url = countingPage('/fragment');
    assert.equal(await visit(`${url}#top`), 'miss 1');
    assert.equal(await visit(`${url}#end`), 'hit 1');
  });

  for (const [name, options] of [
    ['mobile', { mobile: true }],
    ['location', { location: { country: 'FR' } }],
    ['blockAds', { blockAds: false }],
    ['headers', { headers: { cookie: 'visitor=ada' } }],
    ['skipTlsVerification', { skipTlsVerification: false }],
  ] as const) {
    test(`no request with another ${name}`, async () => {
      const url = countingPage(`/other/${name}`);
      assert.equal(await visit(url), 'miss 1');
      assert.equal(await visit(url, options), 'miss 2');
      assert.equal(await visit(url, options), 'hit 2');
    });
  }

  test('no request with another query', async () => {
    const url = countingPage('/query');
    assert.equal(await visit(`${url}?page=1`), 'miss 1');
    assert.equal(await visit(`${url}?page=2`), 'miss 2');
  });
});

describe('minAge', () => {
  const miss = { status: 404, code: 'SCRAPE_NO_CACHED_DATA' };

  test('without a copy is a 404, and nothing is fetched', async () => {
    const before = site.requests.length;
    const { status, code } = await trawl.refusal({ url: countingPage('/never-seen'), minAge: 0 });
    assert.deepEqual({ status, code }, miss);
    assert.equal(site.requests.length, before);
  });

  test('with a copy that is too young is a 404', async () => {
    const url = countingPage('/young');
    await trawl.scrape(url);
    const { status, code } = await trawl.refusal({ url, minAge: HOUR });
    assert.deepEqual({ status, code }, miss);
  });

  test('with a copy that is old enough is served, however old', async () => {
    const url = countingPage('/old-enough');
    await trawl.scrape(url);
    using _time = later(30 * DAY);
    assert.equal(await visit(url, { minAge: HOUR }), 'hit 1');
  });
});

describe('lockdown', () => {
  test('without a copy is a 404, and no connection is opened', async () => {
    await using quiet = await startSite();
    const { status, code } = await trawl.refusal({ url: countingPage('/', quiet), lockdown: true });
    assert.deepEqual({ status, code }, { status: 404, code: 'SCRAPE_LOCKDOWN_CACHE_MISS' });
    assert.equal(quiet.connections(), 0);
  });

  test('with a copy serves it, and no connection is opened', async () => {
    await using quiet = await startSite();
    const url = countingPage('/', quiet);
    await trawl.scrape(url);
    const before = quiet.connections();
    const { metadata } = await trawl.scrape(url, { lockdown: true });
    assert.equal(metadata.cacheState, 'hit');
    assert.equal(metadata.creditsUsed, 5);
    assert.equal(quiet.connections(), before);
    assert.equal(quiet.requests.length, 1);
  });

  test('works when the site is down', async () => {
    const gone = await startSite();
    const url = countingPage('/', gone);
    await trawl.scrape(url);
    await gone[Symbol.asyncDispose]();
    assert.equal(await visit(url, { lockdown: true }), 'hit 1');
  });

  test('does not even resolve the host name', async () => {
    const { status, code } = await trawl.refusal({ url: 'http://nothing.invalid/', lockdown: true });
    assert.deepEqual({ status, code }, { status: 404, code: 'SCRAPE_LOCKDOWN_CACHE_MISS' });
  });
});

describe('the cache does not store', () => {
  for (const version of ['v1', 'v2']) {
    test(`a page with storeInCache false in ${version}`, async () => {
      const url = countingPage(`/not-stored/${version}`);
      assert.equal(await visit(url, { storeInCache: false, skipTlsVerification: true }, version), 'miss 1');
      assert.equal(await visit(url), 'miss 2');
    });
  }

  for (const status of [404, 500, 503]) {
    test(`a page that answered ${status}`, async () => {
      const url = site.page(`/failing/${status}`, { status, body: html('<h1>No</h1>') });
      await trawl.scrape(url);
      const { metadata } = await trawl.scrape(url);
      assert.equal(metadata.cacheState, 'miss');
    });
  }
});

test('the cache survives a restart', async () => {
  await using folder = await temporaryFolder();
  const url = countingPage('/restart');
  {
    await using first = await startTrawl({ TRAWL_DATA_DIR: folder.path });
    await first.scrape(url);
  }
  await using second = await startTrawl({ TRAWL_DATA_DIR: folder.path });
  const { metadata, markdown } = await second.scrape(url);
  assert.equal(metadata.cacheState, 'hit');
  assert.match(markdown ?? '', /Visit 1/);
});
