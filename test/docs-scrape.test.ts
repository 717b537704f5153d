import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { sharedFields } from '../src/contract/scrape.ts';
import { scrapeOptionFields } from '../src/contract/v2/scrape-options.ts';
import { ERROR_STATUS } from '../src/errors.ts';
import { UNAVAILABLE_FORMATS } from '../src/pages/availability.ts';
import { readDocs, testOptionTable } from './support/option-table.ts';

const page = readDocs('scrape.md');
/** The rows of all tables, with trimmed cells. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

for (const [code, status] of Object.entries(ERROR_STATUS)) {
  test(`docs/scrape.md explains ${code} with its status`, () => {
    const row = rows.find(([first]) => first === `\`${code}\``);
    assert.equal(row?.[1], String(status));
  });
}

testOptionTable('scrape.md', 'a scrape', z.object({ ...sharedFields, ...scrapeOptionFields }));

test('docs/scrape.md names every format that is refused', () => {
  const refused = rows.flatMap(([first = '']) => Array.from(first.matchAll(/`([^`]+)`/g), ([, name]) => name));
  for (const format of UNAVAILABLE_FORMATS) assert.ok(refused.includes(format), format);
});
