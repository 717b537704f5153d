import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { USUAL_PLACES } from '../src/crawl/sitemaps.ts';
import { MOST_LINKS } from '../src/map/site-links.ts';
import { mapBody } from '../src/server/v2/map.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'map.md'), 'utf8');
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

test('docs/map.md explains every option of a map and no other', () => {
  const named = rows.flatMap(([names = '']) => names.replaceAll('`', '').split(', '));
  assert.deepEqual(named.sort(), Object.keys(mapBody.shape).sort());
});

test('docs/map.md states the defaults that the schema has', () => {
  for (const [name, schema] of Object.entries(mapBody.shape)) {
    const parsed = schema.safeParse(undefined);
    if (!parsed.success || parsed.data === undefined) continue;
    const row = rows.find(([first]) => first === `\`${name}\``);
    assert.equal(row?.[1], `\`${JSON.stringify(parsed.data)}\``, name);
  }
});

test('docs/map.md names where sitemaps are looked for, and how many addresses there can be', () => {
  for (const place of USUAL_PLACES) assert.ok(page.includes(`\`${place}\``), place);
  assert.ok(page.includes(MOST_LINKS.toLocaleString('en')));
});
