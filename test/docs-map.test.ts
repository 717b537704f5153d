import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapBody } from '../src/contract/v2/map.ts';
import { MAX_LINKS } from '../src/map/site-links.ts';
import { USUAL_PLACES } from '../src/site/sitemaps.ts';
import { readDocs, testOptionTable } from './support/option-table.ts';

testOptionTable('map.md', 'a map', mapBody);

test('docs/map.md says where sitemaps are looked for and how many addresses a map can have', () => {
  const page = readDocs('map.md');
  for (const place of USUAL_PLACES) assert.ok(page.includes(`\`${place}\``), place);
  assert.ok(page.includes(MAX_LINKS.toLocaleString('en')));
});
