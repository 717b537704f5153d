import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_DATASET, openDataset } from '../../test/support/dataset.ts';
import { PAGES, SHELLS } from '../../test/support/shell-pages.ts';
import { readPage } from './read-page.ts';
import type { ShellReport } from './shell.ts';

const OPTIONS = {
  formats: [],
  onlyMainContent: false,
  onlyCleanContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
  attributes: [],
};

function shellOf(html: string): ShellReport {
  return readPage({ html, url: 'http://127.0.0.1/' }, OPTIONS).shell ?? { isShell: false, textLength: 0 };
}

describe('an empty shell', () => {
  for (const { name, html } of SHELLS) test(`is found: ${name}`, () => assert.ok(shellOf(html).isShell));
  for (const { name, html } of PAGES)
    test(`is not found in what has content: ${name}`, () => assert.ok(!shellOf(html).isShell));
});

const dataset = openDataset();

describe('real pages', () => {
  test('are taken for shells only when nothing else is on them', { skip: dataset === null && NO_DATASET }, () => {
    if (dataset === null) return;
    const ids = dataset.pages().filter((_, index) => index % 5 === 0);
    const wrong = ids.filter((id) => {
      // Part of the pages were stored without scripts, and without scripts nothing is a shell.
      const html = dataset
        .html(id)
        .toString()
        .replace(/<head[^>]*>/i, '$&<script type="module" src="/main.js"></script>');
      const { isShell, textLength } = shellOf(html);
      return isShell && textLength > 1_500 && dataset.truth(id).mainContent !== '';
    });
    assert.ok(wrong.length <= 0.02 * ids.length, `${wrong.length} of ${ids.length}: ${wrong.join(', ')}`);
  });
});
