import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Figure } from '../../bench/report.ts';
import { findPrograms } from '../support/postgres-server.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

test('the store benchmark counts the writes per page', { skip: findPrograms() === undefined }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'store', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  const figureOf = (what: string) => figures.find(({ name }) => name === `a page of the crawl: ${what}`)?.value;
  for (const { name, value } of figures) assert.ok(Number.isFinite(value) && value > 0, name);
  for (const table of ['job_results', 'charges']) assert.equal(figureOf(`rows in ${table}`), 1, table);
});
