import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Figure } from '../../bench/report.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');
const onLinux = process.platform === 'linux' ? {} : { skip: 'processor time and memory are read from /proc' };

test('the scrape benchmark completes and reports every figure that has a target', onLinux, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'scrape', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  for (const { name, value } of figures) assert.ok(Number.isFinite(value), name);
  assert.deepEqual(
    figures.filter(({ aim }) => aim !== undefined).map(({ name }) => name),
    [
      'start to ready, npm start (median)',
      'start to ready, node alone (median)',
      'memory, idle',
      'scrape over bare, p50',
      'scrape over bare, p95',
      'event-loop delay p99, 32 at once',
      'CPU a scrape, 32 at once',
      'CPU a cache hit',
      'memory growth, certain part',
    ],
  );
});
