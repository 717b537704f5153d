import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

/** No-code tools send every field of their form, and clients in typed languages send null. */

const site = await shared(startSite());
const url = site.page('/', html('<main><h1>Lamps</h1><p>All our <a href="/lamps">lamps</a>.</p></main>'));
// Jobs are only started here. Other tests cover their pages.
const trawl = await shared(startTrawl({}, { works: false }));

const ADDRESSES: Record<string, object> = { '/batch/scrape': { urls: [url] } };
const BLANK = ['', ' \n', null];

/** All optional fields of each call that are not lists or objects, and some that are. */
const OPTIONAL: Record<string, string[]> = {
  '/scrape': [
    'formats',
    'headers',
    'includeTags',
    'timeout',
    'waitFor',
    'mobile',
    'location',
    'proxy',
    'maxAge',
    'origin',
    'integration',
  ],
  '/batch/scrape': [
    'webhook',
    'maxConcurrency',
    'ignoreInvalidURLs',
    'formats',
    'proxy',
    'auditMetadata',
    'integration',
  ],
  '/crawl': [
    'webhook',
    'limit',
    'delay',
    'maxDiscoveryDepth',
    'includePaths',
    'robotsUserAgent',
    'maxConcurrency',
    'scrapeOptions',
  ],
  '/map': ['search', 'limit', 'timeout', 'includeSubdomains', 'location', 'threatProtection'],
};
const V2_ONLY: Record<string, string[]> = {
  '/scrape': ['parsers', 'redactPII', 'minAge', 'profile', 'useMock', 'toolDetail'],
  '/batch/scrape': ['appendToId', 'parsers'],
  '/crawl': ['prompt', 'sitemap', 'ignoreSitemap'],
  '/map': ['sitemap', 'ignoreCache'],
};

for (const version of ['v1', 'v2']) {
  for (const [path, fields] of Object.entries(OPTIONAL)) {
    const names = version === 'v2' ? [...fields, ...(V2_ONLY[path] ?? [])] : fields;
    for (const blank of BLANK) {
      test(`${JSON.stringify(blank)} in the optional fields of /${version}${path} counts as leaving them out`, async () => {
        const form = Object.fromEntries(names.map((name) => [name, blank]));
        const { status, body } = await trawl.post(`/${version}${path}`, { ...(ADDRESSES[path] ?? { url }), ...form });
        assert.equal(status, 200, JSON.stringify(body));
      });
    }
  }
}

describe('a blank field', () => {
  test('takes its default', async () => {
    const { markdown, warning } = await trawl.scrape(url, {
      formats: null,
      waitFor: '',
      onlyMainContent: '',
      timeout: null,
    });
    assert.match(markdown ?? '', /Lamps/);
    assert.equal(warning, undefined);
  });

  test('is ignored inside objects and lists too', async () => {
    const { markdown } = await trawl.scrape(url, {
      includeTags: ['', 'main'],
      excludeTags: [''],
      location: { country: '', languages: ['', 'de'] },
      redactPII: { mode: '', entities: ['EMAIL', ''] },
      threatProtection: { mode: null, blacklist: [''], blockedTlds: [''] },
      formats: ['markdown', ''],
    });
    assert.match(markdown ?? '', /Lamps/);
    assert.equal(site.requests.at(-1)?.headers['accept-language'], 'de');
  });

  test('that is required is still refused', async () => {
    for (const [path, body, field] of [
      ['/v2/scrape', { url: '' }, 'url'],
      ['/v2/scrape', { url: null }, 'url'],
      ['/v2/batch/scrape', { urls: null }, 'urls'],
      ['/v2/crawl/params-preview', { url, prompt: '' }, 'prompt'],
      ['/v2/batch/scrape', { urls: [url], webhook: { url: null } }, 'webhook'],
    ] as const) {
      const { status, body: answer } = await trawl.post(path, body);
      assert.equal(status, 400, path);
      assert.equal(answer.details?.[0]?.path[0], field);
    }
  });

  test('with an unknown name is refused by that name', async () => {
    for (const blank of BLANK) {
      const { status, error } = await trawl.refusal({ url, colour: blank });
      assert.equal(status, 400);
      assert.match(error, /colour/);
    }
  });

  test('in a list of addresses is still reported as an invalid address', async () => {
    const { body } = await trawl.call<{ invalidURLs: string[] }>('POST', '/v2/batch/scrape', { urls: [url, ''] });
    assert.deepEqual(body.invalidURLs, ['']);
  });

  test('in a query is refused', async () => {
    for (const path of ['/v2/team/activity?limit=', '/v2/team/credit-usage/historical?byApiKey=']) {
      assert.equal((await trawl.get(path)).status, 400, path);
    }
  });

  test('in a header is ignored', async () => {
    const headers = { 'x-idempotency-key': '' };
    const starts = [1, 2].map(() => trawl.call<{ id: string }>('POST', '/v2/crawl', { url }, { headers }));
    const [one, two] = await Promise.all(starts);
    assert.deepEqual([one?.status, two?.status], [200, 200]);
    assert.notEqual(one?.body.id, two?.body.id);
  });
});

test('a webhook with an empty list of events gets all of them', async () => {
  const webhook = { url: 'http://127.0.0.1:1/hook', events: [] };
  const { status, body } = await trawl.call<{ id: string }>('POST', '/v2/crawl', { url, webhook });
  assert.equal(status, 200);
  const { body: report } = await trawl.get<{ events: { type: string }[] }>(`/v2/crawl/${body.id}/webhook`);
  assert.deepEqual(
    report.events.map(({ type }) => type),
    ['started'],
  );
});
