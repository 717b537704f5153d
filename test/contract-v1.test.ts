import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { articlePage, IN_ARTICLE } from './support/article.ts';
import { startCheckingRelay } from './support/checking-relay.ts';
import * as hostile from './support/hostile.ts';
import { realPages } from './support/real-pages.ts';
import { shared } from './support/shared.ts';
import { startSite } from './support/site.ts';
import { KEY, startTrawl } from './support/trawl.ts';

/** The older client inside the public SDK. A relay in between checks each answer on the wire. */

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const relay = await shared(startCheckingRelay(trawl.address));
const { v1: client } = new Firecrawl({ apiUrl: relay.address, apiKey: KEY });

interface SdkError extends Error {
  statusCode?: number;
}

describe('the v1 client of the SDK', () => {
  test('scrapes a page', async () => {
    const url = site.page('/', articlePage());
    const answer = await client.scrapeUrl(url, { formats: ['markdown'] });
    assert.ok(answer.success);
    assert.ok(answer.markdown?.includes(IN_ARTICLE));
    assert.equal(answer.metadata?.title, 'The island');
    assert.equal(answer.metadata?.sourceURL, url);
  });

  test('sends every option that works today', async () => {
    const url = site.page('/options', articlePage());
    const answer = await client.scrapeUrl(url, {
      formats: ['markdown', 'html', 'rawHtml', 'links'],
      headers: { 'X-Visitor': 'mail man' },
      includeTags: ['article'],
      excludeTags: ['h1'],
      onlyMainContent: true,
      waitFor: 0,
      timeout: 10_000,
      location: { country: 'DE', languages: ['de-DE'] },
      mobile: true,
      skipTlsVerification: true,
      removeBase64Images: true,
      blockAds: true,
      proxy: 'basic',
      parsePDF: true,
      maxAge: 1000,
      storeInCache: false,
    });
    assert.ok(answer.success);
    assert.ok(answer.markdown?.includes(IN_ARTICLE));
    assert.ok(answer.html?.includes(IN_ARTICLE));
    assert.equal(answer.rawHtml, articlePage());
    assert.ok(answer.links?.includes(site.url('/map.html#harbour')));
  });

  test('scrapes real pages, in every format', async () => {
    const before = relay.checked();
    let pages = 0;
    for (const page of realPages(30)) {
      pages += 1;
      const url = site.page(`/real/${page.id}`, { headers: { 'content-type': 'text/html' }, body: page.html });
      const answer = await client.scrapeUrl(url, { formats: ['markdown', 'html', 'rawHtml', 'links'] });
      assert.ok(answer.success);
      assert.notEqual(answer.markdown?.trim(), '', page.id);
    }
    assert.ok(pages > 0);
    assert.equal(relay.checked() - before, pages);
  });

  test('reports usage, remaining credits and running jobs', async () => {
    const before = relay.checked();
    const credits = await client.getCreditUsage();
    assert.ok(credits.success);
    assert.equal(credits.data.remaining_credits, 999_999_999);
    assert.ok(Date.parse(credits.data.billing_period_start ?? '') < Date.parse(credits.data.billing_period_end ?? ''));
    const tokens = await client.getTokenUsage();
    assert.ok(tokens.success);
    assert.equal(tokens.data.remaining_tokens, 999_999_999);
    assert.equal(tokens.data.billing_period_end, credits.data.billing_period_end);

    const tokenHistory = await client.getTokenUsageHistorical(true);
    assert.ok(tokenHistory.success);
    const [period] = tokenHistory.periods;
    assert.deepEqual(period, {
      startDate: credits.data.billing_period_start,
      endDate: credits.data.billing_period_end,
      apiKey: 'TRAWL_API_KEY',
      totalTokens: 0,
    });
    const creditHistory = await client.getCreditUsageHistorical();
    assert.ok(creditHistory.success);
    assert.equal(creditHistory.periods.length, 1);
    const status = await client.getQueueStatus();
    assert.ok(status.success);
    assert.equal(status.jobsInQueue, 0);
    assert.equal(status.maxConcurrency, 999_999_999);
    assert.equal(relay.checked() - before, 5);
  });

  test('throws failures with their status and message', async () => {
    const refused = client.scrapeUrl('file:///etc/passwd', { formats: ['markdown'] });
    await assert.rejects(refused, (error: SdkError) => {
      assert.equal(error.statusCode, 400);
      assert.match(error.message, /Only http and https/);
      return true;
    });
  });

  test('throws a 408 when the time limit passes', async () => {
    const late = client.scrapeUrl(site.page('/silence', hostile.silence), { timeout: 200 });
    await assert.rejects(late, { statusCode: 408 });
  });

  test('throws a 403 for a private network and a 401 without a valid key', async () => {
    await assert.rejects(client.scrapeUrl('http://10.0.0.1/', { formats: ['markdown'] }), { statusCode: 403 });
    const withoutKey = new Firecrawl({ apiUrl: relay.address, apiKey: 'undefined' }).v1;
    await assert.rejects(withoutKey.scrapeUrl(site.url('/'), { formats: ['markdown'] }), { statusCode: 401 });
  });
});
