import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl, { type CrawlOptions, type MapOptions, type ScrapeOptions } from 'firecrawl';
import { startBatch } from './support/batch.ts';
import { startCheckingRelay } from './support/checking-relay.ts';
import * as sdk from './support/sdk-fields.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import type { AnswerBody } from './support/trawl.ts';
import { KEY, startTrawl } from './support/trawl.ts';

/** Each request field of the public SDK is accepted, causes a warning if it has no effect, or is refused by name. */

const site = await shared(startSite());
const url = site.page('/', html('<main><h1>Lamps</h1><p>All our lamps.</p><input id="more"></main>'));
// Jobs are only started here. Other tests cover their pages.
const trawl = await shared(startTrawl({}, { works: false }));
const relay = await shared(startCheckingRelay(trawl.address));
const client = new Firecrawl({ apiUrl: relay.address, apiKey: KEY });

/** A cached copy for the fields that require one. */
await trawl.scrape(url);
const open = await startBatch(trawl, { urls: [url] });

interface Call {
  path: string;
  body: object;
  fields: object;
  /** The object in the body that holds the fields, if not the body itself. */
  inside?: string;
}

const v1Scrape = { ...sdk.V1_PAGE_FIELDS, ...sdk.V1_SCRAPE_FIELDS };
const CALLS: Call[] = [
  { path: '/v2/scrape', body: { url }, fields: sdk.PAGE_FIELDS },
  { path: '/v2/batch/scrape', body: { urls: [url] }, fields: { ...sdk.PAGE_FIELDS, ...sdk.batchFields(open.id) } },
  { path: '/v2/crawl', body: { url }, fields: sdk.CRAWL_FIELDS },
  { path: '/v2/crawl', body: { url }, fields: sdk.PAGE_FIELDS, inside: 'scrapeOptions' },
  { path: '/v2/map', body: { url }, fields: sdk.MAP_FIELDS },
  { path: '/v1/scrape', body: { url }, fields: v1Scrape },
  { path: '/v1/batch/scrape', body: { urls: [url] }, fields: v1Scrape },
  { path: '/v1/crawl', body: { url }, fields: sdk.V1_CRAWL_FIELDS },
  { path: '/v1/crawl', body: { url }, fields: sdk.V1_PAGE_FIELDS, inside: 'scrapeOptions' },
  { path: '/v1/map', body: { url }, fields: sdk.V1_MAP_FIELDS },
];

for (const { path, body, fields, inside } of CALLS) {
  describe(inside === undefined ? path : `${inside} of ${path}`, () => {
    for (const [name, [outcome, ...values]] of Object.entries(fields)) {
      test(`${name}: ${outcome}`, async () => {
        for (const value of values) {
          const field = { [name]: value };
          assertOutcome(
            outcome,
            name,
            await post(path, { ...body, ...(inside === undefined ? field : { [inside]: field }) }),
          );
        }
      });
    }
  });
}

describe('the formats of /v2/scrape', () => {
  for (const [name, [outcome, ...values]] of Object.entries(sdk.FORMATS)) {
    test(`${name}: ${outcome}`, async () => {
      for (const format of values) assertOutcome(outcome, name, await post('/v2/scrape', { url, formats: [format] }));
    });
  }
});

describe('the actions of /v2/scrape', () => {
  for (const action of Object.values(sdk.ACTIONS)) {
    test(`${action.type}: works`, async () => {
      assertOutcome('works', 'actions', await post('/v2/scrape', { url, actions: [sdk.ACTIONS.click, action] }));
    });
  }
});

describe('the v2 client of the SDK sends every field it knows', () => {
  // Without the two that require a cached copy: with these options there is none.
  const { minAge: _, ...anyCopy } = sdk.PAGE_FIELDS;
  const page: ScrapeOptions = { ...sdk.acceptedValues(anyCopy), lockdown: false };

  test('of a scrape', async () => {
    const { markdown, warning } = await client.scrape(url, page);
    assert.match(markdown ?? '', /Lamps/);
    for (const name of ['fastMode', 'useMock', 'domainTools', 'toolDetail']) {
      assert.ok(warning?.includes(`"${name}" has no effect`), warning);
    }
  });

  test('of a batch', async () => {
    const { appendToId: _, ...fields } = sdk.batchFields(open.id);
    const { id } = await client.startBatchScrape([url], {
      ...sdk.acceptedValues(fields),
      options: { ...page, actions: [sdk.ACTIONS.click, sdk.ACTIONS.write] },
      idempotencyKey: 'one',
    });
    assert.match(id, /^[\da-f-]{36}$/);
  });

  test('of a crawl', async () => {
    const options: CrawlOptions = sdk.acceptedValues(sdk.CRAWL_FIELDS);
    const { id } = await client.startCrawl(url, {
      ...options,
      scrapeOptions: { ...page, actions: [sdk.ACTIONS.click, sdk.ACTIONS.write] },
    });
    assert.match(id, /^[\da-f-]{36}$/);
  });

  test('of a map', async () => {
    const options: MapOptions = sdk.acceptedValues(sdk.MAP_FIELDS);
    const { links } = await client.map(url, options);
    assert.deepEqual(
      links.map((link) => link.url),
      [url],
    );
  });

  test('of a preview', async () => {
    const { includePaths } = await client.crawlParamsPreview(...sdk.PREVIEW_ARGUMENTS);
    assert.match(String(includePaths), /blog/);
  });
});

describe('the v1 client of the SDK sends every field it knows', () => {
  const { v1 } = client;
  const page: object = sdk.acceptedValues(sdk.V1_PAGE_FIELDS);

  test('of a scrape', async () => {
    const answer = await v1.scrapeUrl(url, page);
    assert.ok(answer.success);
  });

  test('of a batch', async () => {
    const answer = await v1.asyncBatchScrapeUrls(
      [url],
      { ...page, ...sdk.acceptedValues(sdk.V1_SCRAPE_FIELDS) },
      'two',
    );
    assert.ok(answer.success);
  });

  test('of a crawl', async () => {
    const answer = await v1.asyncCrawlUrl(
      url,
      { ...sdk.acceptedValues(sdk.V1_CRAWL_FIELDS), scrapeOptions: page },
      'three',
    );
    assert.ok(answer.success);
  });

  test('of a map', async () => {
    const answer = await v1.mapUrl(url, sdk.acceptedValues(sdk.V1_MAP_FIELDS));
    assert.ok(answer.success);
    assert.deepEqual(answer.links, [url]);
  });
});

type Posted = { status: number; body: AnswerBody & { warning?: string } };

function post(path: string, body: object): Promise<Posted> {
  return trawl.call<Posted['body']>('POST', path, body);
}

function assertOutcome(outcome: sdk.Outcome, name: string, { status, body }: Posted): void {
  if (outcome === 'refused') {
    assert.deepEqual([status, body.code], [400, 'NOT_AVAILABLE'], JSON.stringify(body));
    assert.ok(body.error.includes(`"${name}"`), body.error);
    return;
  }
  assert.equal(status, 200, JSON.stringify(body));
  const warning = body.warning ?? body.data?.warning ?? '';
  assert.equal(warning.includes(`"${name}" has no effect`), outcome === 'no effect', warning);
}
