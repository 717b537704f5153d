import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixturePages } from './fixture-pages.ts';

test('knows what to expect of every page in the folder', () => {
  const files = readdirSync(join(import.meta.dirname, '..', 'fixtures', 'pages'));
  const pages = files.filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -'.html'.length));
  assert.deepEqual(
    fixturePages().map(({ name }) => name),
    pages.sort(),
  );
});

for (const { name, html, title, with: kept, without } of fixturePages()) {
  test(`expects of ${name} only what is in its source`, () => {
    const charset = name === 'windows-1251' ? 'windows-1251' : name === 'broken-markup' ? 'latin1' : 'utf-8';
    const source = words(new TextDecoder(charset).decode(html));
    for (const snippet of [title, ...kept, ...without]) assert.ok(source.includes(words(snippet)), snippet);
  });
}

/** The words alone, without tags, character references and white space. */
function words(text: string): string {
  return text
    .replace(/<[^>]*>|&[a-z]+;/g, ' ')
    .replace(/[\s&]+/g, ' ')
    .trim();
}
