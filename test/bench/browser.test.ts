import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Figure } from '../../bench/report.ts';
import { firstChromium } from '../../src/browser/process/find-chromium.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');
const skip =
  (await firstChromium({ path: undefined, dataDir: undefined })) === undefined ? 'there is no Chromium' : false;

test('the browser benchmark compares rendered pages with bare contexts', { skip }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'browser', '--quick', '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  for (const atOnce of [1, 4, 8]) {
    const ratio = figures.find(({ name }) => name === `${atOnce} at once: ratio`);
    assert.ok(ratio !== undefined && ratio.value > 0, `${atOnce} at once`);
  }
  assert.ok(figures.some(({ name, value }) => name === 'screenshot, median' && value > 0));
});
