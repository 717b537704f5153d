import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crawlBody } from '../src/server/v2/crawl-options.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'crawl.md'), 'utf8');
const begin = page.indexOf('| option |');
/** The table of options of version 2: names, default and meaning. */
const rows = page
  .slice(begin, page.indexOf('\n\n', begin))
  .split('\n')
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const { shape } = crawlBody.out;

test('docs/crawl.md explains every option of a crawl and no other', () => {
  const named = rows.flatMap(([names = '']) => names.replaceAll('`', '').split(', '));
  assert.deepEqual(named.sort(), Object.keys(shape).sort());
});

test('docs/crawl.md states the defaults that the schema has', () => {
  for (const [name, schema] of Object.entries(shape)) {
    const parsed = schema.safeParse(undefined);
    if (name === 'scrapeOptions' || !parsed.success || parsed.data === undefined) continue;
    const row = rows.find(([first]) => first === `\`${name}\``);
    assert.equal(row?.[1], `\`${JSON.stringify(parsed.data)}\``, name);
  }
});
