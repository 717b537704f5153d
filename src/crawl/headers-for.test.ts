import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScope } from '../site/scope.ts';
import { headersFor } from './headers-for.ts';

const headers = { Authorization: 'Bearer of the site', 'X-Api-Key': 'of the site', 'Accept-Language': 'pt' };
const portable = { 'Accept-Language': 'pt' };

for (const [start, address, expected] of [
  ['https://site.example/', 'https://site.example/a', headers],
  ['https://site.example/', 'https://www.site.example/a', headers],
  ['https://site.example/', 'https://docs.site.example/a', headers],
  ['http://site.example/', 'http://site.example/a', headers],
  ['http://site.example/', 'https://site.example/a', headers],
  ['https://site.example/', 'http://site.example/a', portable],
  ['https://site.example/', 'http://docs.site.example/a', portable],
  ['https://site.example/', 'https://other.example/a', portable],
] as const) {
  test(`a crawl of ${start} sends ${expected === headers ? 'all' : 'portable'} headers to ${address}`, async () => {
    const scope = await createScope({
      url: new URL(start),
      crawlEntireDomain: true,
      allowSubdomains: true,
      allowExternalLinks: true,
      includePaths: [],
      excludePaths: [],
      regexOnFullURL: false,
    });
    assert.deepEqual(headersFor({ scope, options: { url: start }, page: { headers } }, new URL(address)), expected);
  });
}
