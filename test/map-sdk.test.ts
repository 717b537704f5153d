import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { startCheckingRelay } from './support/checking-relay.ts';
import { robotsTxt, sitemap, siteOf } from './support/crawl-site.ts';
import { shared } from './support/shared.ts';
import { KEY, startTrawl } from './support/trawl.ts';

/** The public SDK with only its base address changed. A relay in between checks each answer on the wire. */

const site = await shared(siteOf({ '/': ['/linked', '/lamps?page=2'], '/other': ['/further'] }));
site.page('/robots.txt', robotsTxt(`Sitemap: ${site.url('/map.xml')}`));
site.page('/map.xml', sitemap([site.url('/lamps'), site.url('/shades')]));
const trawl = await shared(startTrawl());
const relay = await shared(startCheckingRelay(trawl.address));
const client = new Firecrawl({ apiUrl: relay.address, apiKey: KEY });
const { v1 } = client;

const urls = (...paths: string[]) => paths.map(site.url);

describe('the v2 client of the SDK', () => {
  test('map returns addresses with titles', async () => {
    const { links, id } = await client.map(site.start);
    assert.deepEqual(
      links.map(({ url }) => url),
      urls('/', '/lamps', '/shades', '/linked'),
    );
    assert.equal(links[3]?.title, 'To /linked');
    assert.match(id ?? '', /^[0-9a-f-]{36}$/);
    assert.ok(relay.checked() > 0);
  });

  test('map sends every option', async () => {
    const { links } = await client.map(site.start, {
      search: 'shades',
      sitemap: 'include',
      includeSubdomains: false,
      ignoreQueryParameters: false,
      limit: 2,
      timeout: 20_000,
      integration: 'contract-test',
      origin: 'contract-test',
      location: { country: 'DE', languages: ['de'] },
      threatProtection: { mode: 'manual-only', blacklist: ['example.org'] },
      auditMetadata: { username: 'somebody' },
    });
    assert.equal(links[0]?.url, site.url('/shades'));
    assert.equal(links.length, 2);
    assert.match(site.requests.findLast(({ path }) => path === '/')?.headers['accept-language'] ?? '', /^de/);
  });

  test('map of an unreachable site fails with status and code', async () => {
    await assert.rejects(client.map('http://nothing.invalid/'), (error: Error & { status?: number; code?: string }) => {
      assert.deepEqual([error.status, error.code], [500, 'SCRAPE_DNS_RESOLUTION_ERROR']);
      return true;
    });
  });
});

describe('the v1 client of the SDK', () => {
  const linksOf = async (params: object) => {
    const answer = await v1.mapUrl(site.start, params);
    assert.ok(answer.success);
    return answer.links;
  };

  test('mapUrl returns plain addresses, by default only those on the page', async () => {
    assert.deepEqual(await linksOf({}), urls('/', '/linked', '/lamps'));
  });

  test('mapUrl reads sitemaps when told to', async () => {
    assert.deepEqual(await linksOf({ ignoreSitemap: false }), urls('/', '/lamps', '/shades', '/linked'));
    assert.deepEqual(await linksOf({ sitemapOnly: true }), urls('/lamps', '/shades'));
  });

  test('mapUrl sends every option', async () => {
    const links = await linksOf({
      search: 'shades',
      ignoreSitemap: false,
      sitemapOnly: false,
      includeSubdomains: true,
      limit: 1,
      timeout: 20_000,
      useIndex: false,
      location: { country: 'US', languages: ['en'] },
      auditMetadata: { username: 'somebody' },
    });
    assert.deepEqual(links, urls('/shades'));
  });

  test('more than 30,000 are refused', async () => {
    const { status, body } = await trawl.post('/v1/map', { url: site.start, limit: 30_001 });
    assert.equal(status, 400);
    assert.match(body.error, /limit/);
  });
});
