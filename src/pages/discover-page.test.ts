import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deadline } from '../deadline.ts';
import { serveHttp } from '../fetch/testing/servers.ts';
import { createSiteFetcher } from '../site/site-fetcher.ts';
import { discoverPage } from './discover-page.ts';
import { PageWorkers } from './page-workers/page-workers.ts';
import type { ScrapeRequest } from './request.ts';

const REQUEST: Omit<ScrapeRequest, 'url'> = {
  formats: ['markdown'],
  attributes: [],
  onlyMainContent: true,
  onlyCleanContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
  headers: {},
  mobile: false,
  location: { country: undefined, languages: [] },
  verifyTls: true,
  proxy: 'auto',
  timeout: 10_000,
  maxAge: 0,
  minAge: undefined,
  waitFor: 0,
  actions: [],
  screenshot: undefined,
  storeInCache: false,
  lockdown: false,
  zeroDataRetention: false,
  redactPII: undefined,
  threatProtection: undefined,
};

describe('reading a page for its links', () => {
  for (const [kind, contentType, body, links] of [
    ['a page', 'text/html', '<nav><a href="/other">Other</a></nav><main><p>Some text.</p></main>', ['/other']],
    ['plain text', 'text/plain', 'Some text.', []],
  ] as const) {
    test(`returns what a crawler needs from ${kind} beside the document, never in it`, async () => {
      await using server = await serveHttp((_request, response) => {
        response.writeHead(200, { 'content-type': contentType }).end(body);
      });
      const fetcher = createSiteFetcher({ allowNetworks: ['127.0.0.1'], maxBodyBytes: 1024 * 1024 });
      await using workers = new PageWorkers();
      using deadline = new Deadline(10_000);
      const sources = { fetcher, cache: undefined, share: 'test', read: workers.read };
      const request = { ...REQUEST, url: `${server.url}/page`, discover: { agent: 'trawl' } };
      const { document, discovered } = await discoverPage(sources, request, deadline);
      const without = await discoverPage(sources, { ...REQUEST, url: request.url }, deadline);
      await fetcher.close();
      assert.deepEqual(
        discovered?.links.map(({ url }) => url),
        links.map((path) => server.url + path),
      );
      assert.equal(document.markdown, 'Some text.');
      const { scrapeId } = without.document.metadata;
      const { shell: _, ...rest } = without;
      assert.deepEqual(rest, { document: { ...document, metadata: { ...document.metadata, scrapeId } } });
    });
  }
});
