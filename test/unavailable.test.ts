import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finishedBatch } from './support/batch.ts';
import { finishedCrawl } from './support/crawl.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/', html('<h1>Here</h1>'));

const FORMATS: [string, object | undefined][] = [
  ['summary', undefined],
  ['json', { schema: { type: 'object' }, prompt: 'the title' }],
  ['question', { question: 'What is here?' }],
  ['query', { prompt: 'What is here?', mode: 'freeform' }],
  ['highlights', { query: 'here' }],
  ['changeTracking', { modes: ['git-diff'] }],
];

describe('an unsupported feature is refused by name, never ignored', () => {
  for (const [name, options] of FORMATS) {
    test(`the format "${name}"`, async () => {
      for (const format of [name, { type: name, ...options }]) {
        const { status, code, error } = await trawl.refusal({ url, formats: ['markdown', format] });
        assert.deepEqual({ status, code }, { status: 400, code: 'NOT_AVAILABLE' }, JSON.stringify(format));
        assert.ok(error.includes(`"${name}"`), error);
      }
    });
  }

  const V1_FORMATS = ['json', 'extract', 'summary', 'changeTracking'];
  for (const name of V1_FORMATS) {
    test(`the format "${name}" of version 1`, async () => {
      const { status, code, error } = await trawl.refusal({ url, formats: [name] }, { version: 'v1' });
      assert.deepEqual({ status, code }, { status: 400, code: 'NOT_AVAILABLE' });
      assert.ok(error.includes(`"${name}"`), error);
    });
  }

  const V1_OPTIONS: [string, object][] = [
    ['agent', { agent: { model: 'FIRE-1', prompt: 'click on' } }],
    ['extract', { extract: { prompt: 'the title' } }],
    ['jsonOptions', { jsonOptions: { prompt: 'the title' } }],
    ['changeTrackingOptions', { changeTrackingOptions: { modes: ['json'] } }],
  ];
  for (const [name, options] of V1_OPTIONS) {
    test(`the option "${name}" of version 1`, async () => {
      const { status, code, error } = await trawl.refusal({ url, ...options }, { version: 'v1' });
      assert.deepEqual({ status, code }, { status: 400, code: 'NOT_AVAILABLE' });
      assert.ok(error.includes(`"${name}"`), error);
    });
  }

  test('and nothing is fetched for any of them', () => {
    assert.equal(site.connections(), 0);
  });
});

describe('a value that asks for nothing is accepted', () => {
  for (const options of [
    { actions: [] },
    { waitFor: 0 },
    { parsers: [] },
    { parsers: ['pdf'] },
    { fastMode: false },
    { domainTools: false },
  ]) {
    test(JSON.stringify(options), async () => {
      const { markdown, warning } = await trawl.scrape(url, options);
      assert.match(markdown ?? '', /Here/);
      assert.equal(warning, undefined);
    });
  }
});

describe('an option without effect is accepted, and named in a warning', () => {
  const fastMode = '"fastMode" has no effect: every scrape is already as fast as possible.';

  test('of a scrape', async () => {
    const { markdown, warning } = await trawl.scrape(url, { fastMode: true });
    assert.match(markdown ?? '', /Here/);
    assert.equal(warning, fastMode);
  });

  test('of a batch, at its start and in each document', async () => {
    const { body } = await trawl.call<Started>('POST', '/v2/batch/scrape', { urls: [url], fastMode: true });
    assert.equal(body.warning, fastMode);
    const { data } = await finishedBatch(trawl, body.id);
    assert.deepEqual(
      data.map(({ warning }) => warning),
      [fastMode],
    );
  });

  test('of a crawl, at its start and in each document', async () => {
    const scrapeOptions = { fastMode: true };
    const { body } = await trawl.call<Started>('POST', '/v2/crawl', { url, scrapeOptions });
    assert.equal(body.warning, fastMode);
    const { data } = await finishedCrawl(trawl, body.id, url);
    assert.deepEqual(
      data.map(({ warning }) => warning),
      [fastMode],
    );
  });

  test('alongside the other warnings of the same answer', async () => {
    const options = { fastMode: true, redactPII: { mode: 'accurate' }, formats: ['markdown', 'product'] };
    const { warning } = await trawl.scrape(url, options);
    for (const said of [
      /no data that describes one product/,
      /PERSON/,
      /"fastMode"/,
      /"redactPII.mode" has no effect/,
    ]) {
      assert.match(warning ?? '', said);
    }
  });

  test('and without such an option there is no warning', async () => {
    for (const [path, body] of [
      ['/v2/batch/scrape', { urls: [url] }],
      ['/v2/crawl', { url }],
      ['/v1/crawl', { url }],
    ] as const) {
      const { body: started } = await trawl.post(path, body);
      assert.ok(!('warning' in started), path);
    }
  });
});

interface Started {
  id: string;
  warning?: string;
}
