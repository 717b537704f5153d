import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from './read-page.ts';

test('says so when a page has more than is read, and gives what was read', () => {
  const names = Array.from({ length: 256 }, (_, index) => `a${index}`).join(' ');
  const { markdown, warning } = readPage(
    { html: `<p>The beginning.</p>${`<p ${names}>`.repeat(10_000)}<p>The end.</p>`, url: 'https://example.com/' },
    {
      formats: ['markdown'],
      attributes: [],
      onlyMainContent: false,
      onlyCleanContent: false,
      includeTags: [],
      excludeTags: [],
      removeBase64Images: true,
      blockAds: true,
    },
  );
  assert.match(markdown ?? '', /The beginning\./);
  assert.match(warning ?? '', /more elements than are read/);
});
