import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Figure } from '../../bench/report.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

test('the retention benchmark completes, and retention leaves at most a tenth', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'retention', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  for (let index = 0; index < figures.length; index += 2) {
    const [without, withIt] = [figures[index]?.value ?? 0, figures[index + 1]?.value ?? Number.NaN];
    assert.ok(without > 0 && withIt <= without / 10, `${withIt} of ${without} MB`);
  }
});
