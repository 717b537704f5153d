import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USUAL_PLACES } from '../src/crawl/sitemaps.ts';
import { MOST_LINKS } from '../src/map/site-links.ts';
import { mapBody } from '../src/server/v2/map.ts';
import { readDocs, testOptionTable } from './support/option-table.ts';

testOptionTable('map.md', 'a map', mapBody);

test('docs/map.md names where sitemaps are looked for, and how many addresses there can be', () => {
  const page = readDocs('map.md');
  for (const place of USUAL_PLACES) assert.ok(page.includes(`\`${place}\``), place);
  assert.ok(page.includes(MOST_LINKS.toLocaleString('en')));
});
