import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

/** No-code tools send every field of their form, and clients in typed languages send null. */

const site = await shared(startSite());
const url = site.page('/', html('<main><h1>Lamps</h1><p>All our <a href="/lamps">lamps</a>.</p></main>'));
// Jobs are only started: what was understood of them is in the list of active crawls.
const trawl = await shared(startTrawl({}, { works: false }));
const crawls = await shared(startTrawl({}, { works: false }));

const ADDRESSES: Record<string, object> = { '/batch/scrape': { urls: [url] } };
const BLANK = ['', ' \n', null];

/** The optional fields of each call that are not lists or objects, and some that are. */
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
      test(`${JSON.stringify(blank)} in the optional fields of /${version}${path} leaves them out`, async () => {
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

  test('is left out inside of objects and lists too', async () => {
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

  test('that is required is refused as before', async () => {
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

  test('with a name that nobody knows is refused by it', async () => {
    for (const blank of BLANK) {
      const { status, error } = await trawl.refusal({ url, colour: blank });
      assert.equal(status, 400);
      assert.match(error, /colour/);
    }
  });

  test('in a list of addresses is still reported as no address', async () => {
    const { body } = await trawl.call<{ invalidURLs: string[] }>('POST', '/v2/batch/scrape', { urls: [url, ''] });
    assert.deepEqual(body.invalidURLs, ['']);
  });

  test('of a query or a header is left out', async () => {
    for (const path of ['/v2/team/activity?endpoint=&cursor=&limit=', '/v2/team/credit-usage/historical?byApiKey=']) {
      assert.equal((await trawl.get(path)).status, 200, path);
    }
    const headers = { 'x-idempotency-key': '' };
    const starts = [1, 2].map(() => trawl.call<{ id: string }>('POST', '/v2/crawl', { url }, { headers }));
    const [one, two] = await Promise.all(starts);
    assert.deepEqual([one?.status, two?.status], [200, 200]);
    assert.notEqual(one?.body.id, two?.body.id);
  });
});

test('the crawl node of n8n is understood', async () => {
  // What version 2.1.2 sends for a form whose options were opened and left as they are.
  const { status, body } = await crawls.call<{ id: string; warning?: string }>('POST', '/v2/crawl', {
    integration: 'n8n',
    url,
    prompt: '',
    limit: 500,
    maxConcurrency: 100,
    excludePaths: [''],
    includePaths: [''],
    ignoreSitemap: true,
    ignoreQueryParameters: false,
    allowExternalLinks: false,
    allowSubdomains: false,
    scrapeOptions: {
      formats: [{ type: 'markdown' }],
      onlyMainContent: true,
      headers: {},
      waitFor: 0,
      mobile: false,
      skipTlsVerification: false,
      timeout: 30_000,
      removeBase64Images: true,
      blockAds: true,
      storeInCache: true,
      proxy: 'basic',
      includeTags: [],
      excludeTags: [''],
    },
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.warning, undefined);
  const options = await askedOf(body.id);
  assert.deepEqual(
    [options.sitemap, options.prompt, options.excludePaths, options.limit],
    ['skip', undefined, [], 500],
  );
});

describe('ignoreSitemap of version 2', () => {
  for (const [given, understood] of [
    [{ ignoreSitemap: true }, 'skip'],
    [{ ignoreSitemap: false }, 'include'],
    [{ ignoreSitemap: true, sitemap: 'only' }, 'only'],
    [{ ignoreSitemap: true, prompt: 'Use the sitemap.' }, 'skip'],
  ] as const) {
    test(`${JSON.stringify(given)} is "sitemap": "${understood}" of a crawl`, async () => {
      const { body } = await crawls.call<{ id: string }>('POST', '/v2/crawl', { url, ...given });
      assert.equal((await askedOf(body.id)).sitemap, understood);
    });
  }

  test('keeps a map from the sitemaps', async () => {
    site.page('/sitemap.xml', {
      headers: { 'content-type': 'application/xml' },
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.url('/only-here')}</loc></url></urlset>`,
    });
    const linksOf = async (options: object) => {
      const { body } = await trawl.call<{ links: { url: string }[] }>('POST', '/v2/map', { url, ...options });
      return body.links.map((link) => link.url);
    };
    assert.ok((await linksOf({ ignoreSitemap: false })).includes(site.url('/only-here')));
    assert.ok(!(await linksOf({ ignoreSitemap: true })).includes(site.url('/only-here')));
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

/** The options of a crawl that runs, as they were understood. */
async function askedOf(id: string): Promise<Record<string, unknown>> {
  const { body } = await crawls.get<{ crawls: { id: string; options: Record<string, unknown> }[] }>('/v2/crawl/active');
  return body.crawls.find((crawl) => crawl.id === id)?.options ?? {};
}
