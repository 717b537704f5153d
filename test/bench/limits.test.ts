import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Figure } from '../../bench/report.ts';
import { STORE_KINDS } from '../support/stores.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

test('the limits benchmark completes and reports the cost of a request before and after the ledger is filled', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'limits', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  for (const { name, value } of figures) assert.ok(Number.isFinite(value), name);
  const expected = STORE_KINDS.filter(({ skip }) => !skip).flatMap(({ name }) =>
    ['empty', 'full'].map((ledger) => `${name}, ${ledger} ledger: authentication, limits and charging`),
  );
  assert.deepEqual(
    figures.filter(({ aim }) => aim !== undefined).map(({ name }) => name),
    expected,
  );
});
