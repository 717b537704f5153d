import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ERROR_STATUS } from '../src/errors.ts';
import { UNAVAILABLE_FORMATS } from '../src/scrape/availability.ts';
import { scrapeOptionFields } from '../src/server/v2/scrape-options.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'scrape.md'), 'utf8');
/** Rows of all tables: the cells without their white space. */
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

test('docs/scrape.md explains every option of a scrape and no other', () => {
  const begin = page.indexOf('| option |');
  const table = page.slice(begin, page.indexOf('\n\n', begin));
  const named = Array.from(table.matchAll(/^\| (`[^|]*`) \|/gm), ([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  ).flat();
  const taken = ['url', 'zeroDataRetention', 'origin', 'integration', ...Object.keys(scrapeOptionFields)];
  assert.deepEqual(named.sort(), taken.sort());
});

test('docs/scrape.md states the defaults that the schema has', () => {
  for (const [name, schema] of Object.entries(scrapeOptionFields)) {
    const parsed = schema.safeParse(undefined);
    if (!parsed.success || parsed.data === undefined) continue;
    const row = rows.find(([first]) => first === `\`${name}\``);
    assert.equal(row?.[1], `\`${JSON.stringify(parsed.data)}\``, name);
  }
});

test('docs/scrape.md names every format that is refused', () => {
  const refused = rows.flatMap(([first = '']) => Array.from(first.matchAll(/`([^`]+)`/g), ([, name]) => name));
  for (const format of UNAVAILABLE_FORMATS) assert.ok(refused.includes(format), format);
});
