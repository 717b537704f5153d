import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertContract } from './contract.ts';

const metadata = {
  sourceURL: 'http://example.com',
  url: 'http://example.com/',
  statusCode: 200,
  contentType: 'text/html',
  scrapeId: '01890000-0000-7000-8000-000000000000',
  proxyUsed: 'basic',
  cacheState: 'miss',
  creditsUsed: 1,
  title: 'Example',
  'article:tag': ['one', 'two'],
};

function scraped(data: object, more: object = {}): unknown {
  return { success: true, data: { metadata, ...data }, ...more };
}

describe('the check of answers', () => {
  for (const path of ['/v2/scrape', '/v1/scrape']) {
    test(`accepts a correct answer of ${path}`, () => {
      assertContract('POST', path, 200, scraped({ markdown: '# Example', links: ['http://example.com/'] }));
    });

    for (const [name, body] of [
      ['Markdown that is a number', scraped({ markdown: 5 })],
      ['links that are no list', scraped({ links: 'http://example.com/' })],
      ['no metadata', { success: true, data: { markdown: '' } }],
      ['no scrape id', scraped({ metadata: { ...metadata, scrapeId: undefined } })],
      ['an address that is none', scraped({ metadata: { ...metadata, sourceURL: 'example.com' } })],
      ['metadata of the page that is a number', scraped({ metadata: { ...metadata, anything: 5 } })],
      ['a hit without its time', scraped({ metadata: { ...metadata, cacheState: 'hit' } })],
      ['a miss with a time', scraped({ metadata: { ...metadata, cachedAt: '2026-01-01T00:00:00.000Z' } })],
      ['a field beside the data', scraped({}, { extra: true })],
      ['no success', scraped({}, { success: false })],
    ] as const) {
      test(`refuses an answer of ${path} with ${name}`, () => {
        // As on the wire, which has no undefined.
        const answer: unknown = JSON.parse(JSON.stringify(body));
        assert.throws(() => assertContract('POST', path, 200, answer), /breaks the contract/);
      });
    }
  }

  test('recognises an operation by its path with an id in it', () => {
    const id = metadata.scrapeId;
    assertContract('GET', `/v2/scrape/${id}`, 200, scraped({}));
    assert.throws(() => assertContract('GET', `/v2/scrape/${id}`, 200, scraped({ html: [] })), /breaks the contract/);
  });

  test('refuses a success that is not in the contract', () => {
    assert.throws(() => assertContract('POST', '/v2/scrape', 201, scraped({})), /unknown to the contract/);
    assert.throws(() => assertContract('POST', '/v2/scrap', 200, scraped({})), /unknown to the contract/);
  });

  test('accepts the common error format with any status', () => {
    const failure = { success: false, code: 'BAD_REQUEST', error: 'The body is not valid.' };
    for (const status of [400, 401, 404, 413, 500, 503]) assertContract('POST', '/v2/scrape', status, failure);
    for (const bad of [{ success: true }, { code: undefined }, { error: '' }, { error: 5 }, { message: 'no' }]) {
      const answer: unknown = JSON.parse(JSON.stringify({ ...failure, ...bad }));
      assert.throws(() => assertContract('POST', '/v2/scrape', 400, answer), /breaks the contract/);
    }
  });
});
