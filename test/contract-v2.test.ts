import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl, { type ScrapeOptions } from 'firecrawl';
import { setPlan } from '../src/team/operator-plans.ts';
import { articlePage, IN_ARTICLE } from './support/article.ts';
import { startCheckingRelay } from './support/checking-relay.ts';
import * as hostile from './support/hostile.ts';
import { realPages } from './support/real-pages.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { addTeam, withStoreOf } from './support/team.ts';
import { KEY, startTrawl } from './support/trawl.ts';

/** The public SDK with only its base address changed. A relay in between checks each answer on the wire. */

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const relay = await shared(startCheckingRelay(trawl.address));
const client = new Firecrawl({ apiUrl: relay.address, apiKey: KEY });

describe('the v2 client of the SDK', () => {
  test('scrapes a page', async () => {
    const url = site.page('/', articlePage());
    const document = await client.scrape(url);
    assert.ok(document.markdown?.includes(IN_ARTICLE));
    assert.equal(document.metadata?.title, 'The island');
    assert.equal(document.metadata?.sourceURL, url);
    assert.equal(document.metadata?.statusCode, 200);
  });

  test('sends every option that works today', async () => {
    const url = site.page('/options', articlePage('<p><img src="/boat.png" alt="A boat"></p>'));
    const options = {
      formats: [
        'markdown',
        'html',
        'rawHtml',
        { type: 'links' },
        'images',
        'product',
        'menu',
        { type: 'attributes', selectors: [{ selector: 'img', attribute: 'alt' }] },
      ],
      headers: { 'X-Visitor': 'mail man' },
      includeTags: ['article'],
      excludeTags: ['h1'],
      onlyMainContent: true,
      timeout: 30_000,
      waitFor: 0,
      mobile: true,
      parsers: ['pdf'],
      actions: [],
      location: { country: 'DE', languages: ['de-DE'] },
      skipTlsVerification: true,
      removeBase64Images: true,
      fastMode: true,
      blockAds: true,
      proxy: 'basic',
      maxAge: 0,
      storeInCache: true,
      integration: 'contract-test',
    } satisfies ScrapeOptions;
    const document = await client.scrape(url, options);
    assert.ok(document.markdown?.includes(IN_ARTICLE));
    assert.ok(document.html?.includes(IN_ARTICLE));
    assert.ok(document.rawHtml?.startsWith('<!doctype html>'));
    assert.ok(document.links?.includes(site.url('/map.html#harbour')));
    assert.deepEqual(document.images, [site.url('/boat.png')]);
    assert.deepEqual(document.attributes, [{ selector: 'img', attribute: 'alt', values: ['A boat'] }]);
    assert.equal(site.requests.at(-1)?.headers['x-visitor'], 'mail man');
  });

  test('scrapes real pages, in every format', async () => {
    const formats: ScrapeOptions['formats'] = ['markdown', 'html', 'rawHtml', 'links', 'images', 'product', 'menu'];
    const before = relay.checked();
    let pages = 0;
    for (const page of realPages(60)) {
      pages += 1;
      const url = site.page(`/real/${page.id}`, { headers: { 'content-type': 'text/html' }, body: page.html });
      const document = await client.scrape(url, { formats, maxAge: 0 });
      assert.notEqual(document.markdown?.trim(), '', page.id);
    }
    assert.ok(pages > 0);
    assert.equal(relay.checked() - before, pages);
  });

  test('reports usage and remaining credits', async () => {
    const before = relay.checked();
    const credits = await client.getCreditUsage();
    assert.equal(credits.remainingCredits, 999_999_999);
    assert.equal(credits.planCredits, 999_999_999);
    assert.ok(Date.parse(credits.billingPeriodStart ?? '') < Date.parse(credits.billingPeriodEnd ?? ''));
    const tokens = await client.getTokenUsage();
    assert.equal(tokens.remainingTokens, 999_999_999);
    assert.equal(tokens.billingPeriodEnd, credits.billingPeriodEnd);

    await client.scrape(site.page('/charged', articlePage()));
    // The SDK passes the sums through under their names on the wire, which differ from those in its types.
    const creditHistory: { success: boolean; periods: object[] } = await client.getCreditUsageHistorical();
    const [period = new Map()] = creditHistory.periods.map((one) => new Map(Object.entries(one)));
    assert.equal(period.get('startDate'), credits.billingPeriodStart);
    assert.equal(period.get('endDate'), credits.billingPeriodEnd);
    assert.equal(period.get('apiKey'), null);
    assert.ok(period.get('totalCredits') > 0);
    const tokenHistory: { periods: object[] } = await client.getTokenUsageHistorical(true);
    assert.deepEqual(tokenHistory.periods, [
      {
        startDate: credits.billingPeriodStart,
        endDate: credits.billingPeriodEnd,
        apiKey: 'TRAWL_API_KEY',
        totalTokens: 0,
      },
    ]);
    assert.equal((await client.getTokenUsageHistorical()).success, true);
    assert.equal((await client.getCreditUsageHistorical(true)).success, true);
    assert.equal(relay.checked() - before, 7);
  });

  test('reports running jobs', async () => {
    assert.deepEqual(await client.getConcurrency(), { concurrency: 0, maxConcurrency: 999_999_999 });
    const { mostRecentSuccess, ...status } = await client.getQueueStatus();
    assert.deepEqual(status, {
      success: true,
      jobsInQueue: 0,
      activeJobsInQueue: 0,
      waitingJobsInQueue: 0,
      maxConcurrency: 999_999_999,
    });
    assert.notEqual(mostRecentSuccess, null);
  });

  test('throws a 402 when credits run out', async () => {
    const key = await addTeam(trawl.dataDir, 'poor', 'free');
    await withStoreOf(trawl.dataDir, (store) => setPlan(store, 'free', { monthlyCredits: 0 }));
    const poor = new Firecrawl({ apiUrl: relay.address, apiKey: key });
    await assert.rejects(poor.scrape(site.url('/')), { status: 402, code: 'PAYMENT_REQUIRED' });
  });

  test('throws failures with their status, code, message and details', async () => {
    const unknown: object = { formats: ['markdown'], colour: 'blue' };
    await assert.rejects(client.scrape(site.url('/'), unknown), (error: SdkError) => {
      assert.equal(error.status, 400);
      assert.equal(error.code, 'BAD_REQUEST');
      assert.match(error.message, /colour/);
      assert.ok(Array.isArray(error.details));
      return true;
    });
  });

  for (const [name, url, expected, says] of [
    ['a file: address', 'file:///etc/passwd', { status: 400, code: 'BAD_REQUEST' }, /Only http and https/],
    ['a private network', 'http://10.0.0.1/', { status: 403, code: 'SCRAPE_BLOCKED_TARGET' }, /private/],
    [
      'no such host',
      'http://nothing.invalid/',
      { status: 500, code: 'SCRAPE_DNS_RESOLUTION_ERROR' },
      /nothing\.invalid/,
    ],
  ] as const) {
    test(`throws the failure of ${name}`, async () => {
      await assert.rejects(client.scrape(url), (error: SdkError) => {
        assert.deepEqual({ status: error.status, code: error.code }, expected);
        assert.match(error.message, says);
        return true;
      });
    });
  }

  test('throws when the time limit passes, and does not retry', async () => {
    const url = site.page('/silence', hostile.silence);
    const before = relay.checked();
    await assert.rejects(client.scrape(url, { timeout: 1000 }), { status: 408, code: 'SCRAPE_TIMEOUT' });
    assert.equal(relay.checked() - before, 1);
  });

  test('retries a 502, and succeeds when the site is back', async () => {
    let visits = 0;
    const url = site.page('/back', (request, response) => {
      visits += 1;
      if (visits < 3) hostile.hangUp(request, response);
      else response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>Back</h1>'));
    });
    const { markdown } = await client.scrape(url);
    assert.match(markdown ?? '', /Back/);
  });

  test('throws a 401 for an unknown key', async () => {
    const client = new Firecrawl({ apiUrl: relay.address, apiKey: `fc-${'0'.repeat(32)}` });
    await assert.rejects(client.scrape(site.url('/')), { status: 401, code: 'UNAUTHORIZED' });
  });

  test('throws an error that names the unsupported feature', async () => {
    const call = client.scrape(site.url('/'), { formats: ['markdown', 'summary'] });
    await assert.rejects(call, (error: SdkError) => {
      assert.equal(error.status, 400);
      assert.match(error.message, /"summary"/);
      return true;
    });
  });
});

interface SdkError extends Error {
  status?: number;
  code?: string;
  details?: unknown;
}
