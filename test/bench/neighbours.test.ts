import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Figure } from '../../bench/report.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

test('the neighbours benchmark measures scrapes alone and under attack', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'neighbours', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  for (const { name, value } of figures) assert.ok(Number.isFinite(value) && value > 0, name);
  assert.deepEqual(
    figures.filter(({ aim }) => aim !== undefined).map(({ name }) => name),
    ['scrape, p95, attacked over alone', 'scrape of 3 MB, p95, attacked over alone'],
  );
});
