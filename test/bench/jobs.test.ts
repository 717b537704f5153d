import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Figure } from '../../bench/report.ts';
import { STORE_KINDS } from '../support/stores.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

test('the jobs benchmark completes and compares the cost of many waiting addresses', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'jobs', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  for (const { name, value } of figures) assert.ok(Number.isFinite(value) && value > 0, name);
  const when = { SQLite: [''], PostgreSQL: ['', ', new connections', ', fresh statistics'] };
  assert.deepEqual(
    figures.filter(({ aim }) => aim !== undefined).map(({ name }) => name),
    STORE_KINDS.filter(({ skip }) => !skip).flatMap(({ name }) =>
      when[name].flatMap((how) =>
        ['claim', 'completion'].map((what) => `${name}, 50,000 waiting${how}: ${what} of 16 pages`),
      ),
    ),
  );
});
