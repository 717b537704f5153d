import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContentFormat } from './page-content.ts';
import { readPage } from './read-page.ts';

const SENTENCE = 'The harbour was built in the last century, and its warehouses still stand along the quay. ';
const TEXT = SENTENCE.repeat(10).trim();

function read(
  script: string,
  { title = 'The harbour | News', formats = ['markdown'] as readonly ContentFormat[] } = {},
) {
  const html = `<!doctype html><title>${title}</title><body><div id="root"></div>${script}<script src="/app.js"></script></body>`;
  const { markdown = '', shell } = readPage(
    { html, url: 'http://127.0.0.1/' },
    {
      ...{ formats, attributes: [], includeTags: [], excludeTags: [] },
      ...{ onlyMainContent: true, onlyCleanContent: false, removeBase64Images: true, blockAds: true },
    },
  );
  return { markdown, isShell: shell?.isShell };
}

const nextData = (article: object) =>
  `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: { article } } }).replaceAll('<', '\\u003c')}</script>`;

describe('the text of a shell is read from its state', () => {
  for (const [name, script] of [
    ['__NEXT_DATA__', nextData({ title: 'The harbour', body: `<p>${TEXT}</p><h2>Today</h2><p>${TEXT}</p>` })],
    [
      'JSON-LD',
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'NewsArticle', headline: 'The harbour', articleBody: TEXT })}</script>`,
    ],
    [
      'a variable',
      `<script>window.__INITIAL_STATE__ = ${JSON.stringify({ page: { title: 'The harbour', content: TEXT } })}</script>`,
    ],
  ]) {
    test(`in ${name}`, () => {
      const { markdown, isShell } = read(script ?? '');
      assert.equal(isShell, false);
      assert.match(markdown, /^# The harbour\n\nThe harbour was built/);
    });
  }

  test('and stays text', () => {
    const { markdown } = read(nextData({ title: 'The harbour', text: `Write *stars* and <script> and <b>. ${TEXT}` }));
    assert.match(markdown, /Write \\\*stars\* and \\<script> and \\<b>\./);
  });

  for (const [name, script, options] of [
    ['another title', nextData({ title: 'The station', body: TEXT }), {}],
    ['a teaser', nextData({ title: 'The harbour', body: SENTENCE }), {}],
    ['a text that is cut off', nextData({ title: 'The harbour', body: `${TEXT} …` }), {}],
    [
      'two texts of that title',
      nextData({ title: 'The harbour', body: TEXT, next: { title: 'The harbour', body: `${TEXT} More.` } }),
      {},
    ],
    [
      'a request for links',
      nextData({ title: 'The harbour', body: TEXT }),
      { formats: ['markdown', 'links'] as const },
    ],
  ] as const) {
    test(`but not of ${name}`, () => assert.equal(read(script, options).isShell, true));
  }
});
