import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { browserLimits } from './browser-limits.ts';
import { type Machine, readMachine } from './machine.ts';

const MB = 1024 * 1024;
const HOST: Machine = { memory: totalmem(), processors: availableParallelism() };

/** What is read where these files are. */
async function read(groups: string, files: Record<string, string>): Promise<Machine> {
  await using folder = await temporaryFolder();
  for (const [file, text] of Object.entries({ ...files, groups })) {
    const path = join(folder.path, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return await readMachine(folder.path, join(folder.path, 'groups'));
}

describe('the machine', () => {
  test('is the host without limits', async () => {
    assert.deepEqual(await read('0::/\n', { 'memory.max': 'max\n', 'cpu.max': 'max 100000\n' }), HOST);
    assert.deepEqual(await read('', {}), HOST);
  });

  test('is the container, by version 2', async () => {
    const files = { 'memory.max': `${64 * MB}\n`, 'cpu.max': '50000 100000\n' };
    assert.deepEqual(await read('0::/\n', files), { memory: 64 * MB, processors: 0.5 });
    assert.deepEqual(await read('0::/../../system.slice/trawl\n', files), { memory: 64 * MB, processors: 0.5 });
  });

  test('is bound by the groups above its own', async () => {
    const files = { 'a/b/memory.max': 'max', 'a/memory.max': `${64 * MB}`, 'a/b/cpu.max': 'max 100000' };
    assert.deepEqual(await read('0::/a/b\n', files), { ...HOST, memory: 64 * MB });
  });

  test('is the container, by version 1', async () => {
    const files = {
      'memory/docker/1/memory.limit_in_bytes': `${96 * MB}`,
      'memory/memory.limit_in_bytes': '9223372036854771712',
      'cpu,cpuacct/docker/1/cpu.cfs_quota_us': '25000',
      'cpu,cpuacct/docker/1/cpu.cfs_period_us': '100000',
      'cpu,cpuacct/cpu.cfs_quota_us': '-1',
      'cpu,cpuacct/cpu.cfs_period_us': '100000',
    };
    const groups = '4:memory:/docker/1\n3:cpu,cpuacct:/docker/1\n1:name=systemd:/docker/1\n';
    assert.deepEqual(await read(groups, files), { memory: 96 * MB, processors: 0.25 });
  });
});

describe('limits of the browser', () => {
  for (const [memory, processors, contexts] of [
    [256, 8, 1],
    [1024, 1, 2],
    [2048, 8, 4],
    [24_000, 2, 4],
    [64_000, 64, 16],
  ] as const) {
    test(`are ${contexts} pages with ${memory} MB and ${processors} processors`, () => {
      const limits = browserLimits({ memory: memory * MB, processors }, undefined);
      assert.equal(limits.contexts, contexts);
      assert.equal(limits.bytes, (memory * MB) / 2);
      assert.ok(limits.pageBytes <= limits.bytes);
    });
  }

  test('follow the setting', () => {
    assert.equal(browserLimits({ memory: 1024 * MB, processors: 1 }, 7).contexts, 7);
  });
});
