import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Figure } from '../../bench/report.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

test('the crawl benchmark completes and finds every page of its site', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'crawl', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  for (const { name, value } of figures) assert.ok(Number.isFinite(value) && value > 0, name);
  assert.deepEqual(
    figures.filter(({ aim }) => aim !== undefined).map(({ name }) => name),
    ['crawl: CPU a page', 'crawl: largest memory'],
  );
});
