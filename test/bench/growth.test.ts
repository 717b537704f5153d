import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { makePage, pageNumber, pagePath } from '../../bench/growth/generated-site.ts';
import type { Figure } from '../../bench/report.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

test('the growth benchmark crawls its sites to the last page', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'growth', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  for (const { name, value } of figures) assert.ok(Number.isFinite(value) && value >= 0, name);
  assert.deepEqual(
    figures.map(({ name }) => name),
    [
      '30 pages: pages a second',
      '30 pages: largest memory',
      '60 pages: pages a second',
      '60 pages: largest memory',
      'slowest size, below the fastest',
    ],
  );
});

test('each page of a generated site has its own address, and no other address is a page', () => {
  const paths = Array.from({ length: 200 }, (_, number) => pagePath(number));
  assert.equal(new Set(paths).size, 200);
  for (const [number, path] of paths.entries()) assert.equal(pageNumber(path, 200), number);
  assert.equal(pageNumber(pagePath(200), 200), undefined, 'behind the last one');
  assert.equal(pageNumber('other-name-7', 200), undefined);
});

test('every page of a generated site can be reached from the first, and most links lead to known pages', () => {
  const found = new Set(['']);
  const waiting = [''];
  let links = 0;
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const number = pageNumber(path, 200);
    assert.ok(number !== undefined, path);
    for (const [, to = ''] of makePage('/', number, 200).matchAll(/href="\/([^"]*)"/g)) {
      links += 1;
      if (!found.has(to)) waiting.push(to);
      found.add(to);
    }
  }
  assert.equal(found.size, 200);
  assert.ok(links > 25 * 200, `${links} links`);
});
