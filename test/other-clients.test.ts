import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

/** Requests that other clients send and the SDK would not. */

const site = await shared(startSite());
const url = site.page('/', html('<main><h1>Lamps</h1><p>All our <a href="/lamps">lamps</a>.</p></main>'));
// Jobs are only started. The list of active crawls shows how their options were understood.
const trawl = await shared(startTrawl({}, { works: false }));

test('the crawl tool of the MCP server can request zero data retention inside the page options', async () => {
  const { status, body } = await trawl.call<{ id: string }>('POST', '/v2/crawl', {
    url,
    prompt: 'only the blog',
    deduplicateSimilarURLs: true,
    scrapeOptions: {
      formats: [{ type: 'markdown' }],
      waitFor: 1_000,
      parsers: [{ type: 'pdf', maxPages: 5 }],
      zeroDataRetention: true,
    },
    webhook: { url: 'http://127.0.0.1:1/hook', headers: { 'X-From': 'trawl' } },
    origin: 'mcp-fastmcp',
  });
  assert.equal(status, 200, JSON.stringify(body));
  const { body: activity } = await trawl.get<{ data: { id: string; target: string | null }[] }>('/v2/team/activity');
  assert.equal(activity.data.find(({ id }) => id === body.id)?.target, null);
});

test('the crawl node of n8n starts a crawl', async () => {
  // The body that version 2.1.2 sends for a form whose options were opened and left unchanged.
  const { status, body } = await trawl.call<{ id: string; warning?: string }>('POST', '/v2/crawl', {
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
    test(`${JSON.stringify(given)} means "sitemap": "${understood}" for a crawl`, async () => {
      const { body } = await trawl.call<{ id: string }>('POST', '/v2/crawl', { url, ...given });
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

/** The options of a running crawl, as they were understood. */
async function askedOf(id: string): Promise<Record<string, unknown>> {
  const { body } = await trawl.get<{ crawls: { id: string; options: Record<string, unknown> }[] }>('/v2/crawl/active');
  return body.crawls.find((crawl) => crawl.id === id)?.options ?? {};
}
