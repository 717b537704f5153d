import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Figure } from '../../bench/report.ts';
import { missingPostgres } from '../support/postgres.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');
const skip = (await missingPostgres()) ?? false;

test('the workers benchmark processes pages with each number of workers', { skip }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'workers', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  const rates = figures.filter(({ name }) => name.endsWith('pages a second'));
  assert.deepEqual(
    rates.map(({ name }) => name),
    ['1 worker: pages a second', '2 workers: pages a second'],
  );
  for (const { name, value } of rates) assert.ok(value > 0, name);
  assert.deepEqual(
    figures.filter(({ aim }) => aim !== undefined).map(({ name }) => name),
    ['2 workers: below linear'],
  );
});
