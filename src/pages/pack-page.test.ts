import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packPage } from './pack-page.ts';

/** The links a crawl gets from a page with `count` relative links, at an address with a path of this length. */
function pageLinksOf(count: number, length: number): string[] {
  const url = `http://site.example/${'a'.repeat(length)}`;
  const body = Array.from({ length: count }, (_, index) => `<a href="?n=${index}">n</a>`).join('');
  const page = {
    ...{ url, status: 200, headers: {}, contentType: 'text/html', isText: true, proxyUsed: 'basic' as const },
    body: new TextEncoder().encode(`<title>Wide</title>${body}`),
  };
  const { pageLinks } = packPage({
    obtained: { page, storedAt: undefined, policyWarning: undefined },
    request: {
      ...{ url, formats: [], attributes: [], onlyMainContent: false, onlyCleanContent: false, includeTags: [] },
      ...{ excludeTags: [], removeBase64Images: true, blockAds: true, headers: {}, mobile: false, verifyTls: true },
      ...{ location: { country: undefined, languages: [] }, proxy: 'auto', timeout: 60_000, maxAge: 0 },
      ...{ minAge: undefined, storeInCache: true, lockdown: false, zeroDataRetention: false, redactPII: undefined },
      ...{ waitFor: 0, actions: [], screenshot: undefined },
      ...{ threatProtection: undefined, discover: { agent: 'trawl' } },
    },
    scrape: { id: 'id', credits: 1 },
    keep: false,
  });
  return pageLinks?.links ?? [];
}

test('a crawl gets all links of a page', () => {
  assert.equal(pageLinksOf(20_000, 20).length, 20_000);
});

test('a crawl gets only the first links of a page whose addresses are very long', () => {
  const links = pageLinksOf(5_000, 1_000);
  assert.ok(links.length > 3_800 && links.length < 4_000, `${links.length} links`);
  assert.ok(links.every((link, index) => link.endsWith(`?n=${index}`)));
});
