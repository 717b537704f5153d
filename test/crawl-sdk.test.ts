import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { startCheckingRelay } from './support/checking-relay.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { KEY, startTrawl } from './support/trawl.ts';

/** The public SDK, changed in nothing but the base address; the relay in between checks each answer on the wire. */

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const relay = await shared(startCheckingRelay(trawl.address));
const client = new Firecrawl({ apiUrl: relay.address, apiKey: KEY });

/** A start page that links to as many others. */
function linkedPages(path: string, count: number): string {
  const links = Array.from({ length: count }, (_, index) => {
    site.page(`${path}/${index}`, html(`<h1>Words of ${path}/${index}</h1><a href="${path}">up</a>`));
    return `<a href="${path}/${index}">Page ${index}</a>`;
  });
  return site.page(path, html(`<h1>Words of ${path}</h1>${links.join(' ')}`));
}

describe('the v2 client of the SDK', () => {
  test('crawl waits for every page', async () => {
    const url = linkedPages('/wait', 20);
    const job = await client.crawl(url, { limit: 50, scrapeOptions: { formats: ['markdown'] }, pollInterval: 1 });
    assert.equal(job.status, 'completed');
    assert.deepEqual([job.total, job.completed, job.creditsUsed, job.next], [21, 21, 21, null]);
    assert.equal(new Set(job.data.map(({ metadata }) => metadata?.sourceURL)).size, 21);
    assert.ok(job.data.every(({ markdown }) => markdown?.includes('Words of /wait')));
  });
});
