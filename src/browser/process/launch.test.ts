import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { TrawlError } from '../../errors.ts';
import { npmChromium, npmPackage } from '../npm-chromium/npm-chromium.ts';
import { PROFILE } from './chromium-process.ts';
import { listChromiums } from './find-chromium.ts';
import { launchAny } from './launch.ts';

const PLACES = { path: undefined, dataDir: undefined };
const skip = process.platform !== 'linux' && 'the processes of Chromium are read from /proc';

const unavailable = (pattern: RegExp) => (error: unknown) =>
  error instanceof TrawlError && error.code === 'BROWSER_UNAVAILABLE' && pattern.test(error.message);

async function groupOf(pid: number): Promise<string[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(processes.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')));
  return stats.filter(
    (stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === pid && !/\) Z /.test(stat),
  );
}

/** A process that was killed takes a moment to go, which nothing announces. */
async function untilGone(group: number, profile: string): Promise<void> {
  while (existsSync(profile) || (await groupOf(group)).length > 0) await pause(10);
}

describe('a Chromium', { skip }, () => {
  test('runs with its sandbox, not as root, and leaves nothing', async (context) => {
    const { browser, process: chromium, mode, sandboxOff } = await launchAny(PLACES);
    const page = await browser.newPage();
    await page.setContent('<title>Here</title>');
    assert.equal(await page.title(), 'Here');
    assert.ok((await groupOf(chromium.pid)).length > 2);
    const status = await readFile(`/proc/${chromium.pid}/status`, 'utf8');
    assert.doesNotMatch(status, /^Uid:\s+0/m);
    assert.doesNotMatch(await readFile(`/proc/${chromium.pid}/environ`, 'latin1'), /NODE_|TRAWL_/);
    context.diagnostic(`sandbox: ${mode.sandbox ? 'on' : sandboxOff}`);
    assert.equal(mode.sandbox, sandboxOff === undefined);
    await chromium.stop();
    assert.deepEqual(await groupOf(chromium.pid), []);
    assert.ok(!existsSync(chromium.profile));
  });

  test('that is killed leaves nothing either', async () => {
    const { process: chromium } = await launchAny(PLACES);
    process.kill(chromium.pid, 'SIGKILL');
    await untilGone(chromium.pid, chromium.profile);
  });

  test('leaves nothing when the process that started it is killed', async () => {
    const script = `
      import { launchAny } from ${JSON.stringify(import.meta.resolve('./launch.ts'))};
      const { process: { pid, profile } } = await launchAny({ path: undefined, dataDir: undefined });
      process.stdout.write(JSON.stringify({ pid, profile }), () => process.kill(process.pid, 'SIGKILL'));`;
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
    assert.equal(signal, 'SIGKILL');
    const { pid, profile }: { pid: number; profile: string } = JSON.parse(String(stdout));
    assert.ok(profile.startsWith(join(tmpdir(), PROFILE)));
    await untilGone(pid, profile);
  });

  test('that comes with npm runs', { skip: npmPackage() === undefined && 'it does not run here' }, async (context) => {
    const { path, env } = await npmChromium(npmPackage() ?? '', undefined);
    await using place = await temporaryFolder();
    await chmod(place.path, 0o755);
    const wrapper = join(place.path, 'chromium');
    const assignments = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
    await writeFile(wrapper, `#!/bin/sh\nexec env ${assignments.join(' ')} '${path}' "$@"\n`, { mode: 0o755 });
    const { browser, process: chromium, mode } = await launchAny({ path: wrapper, dataDir: undefined });
    context.diagnostic(`Chromium ${browser.version()}, sandbox ${mode.sandbox}`);
    await chromium.stop();
  });
});

describe('TRAWL_BROWSER_PATH', () => {
  test('is the only Chromium that is tried', async () => {
    const found = await listChromiums({ path: process.execPath, dataDir: undefined });
    const chromiums = await Promise.all(found.map(({ locate }) => locate()));
    assert.deepEqual(chromiums, [{ path: process.execPath, source: 'setting', env: {} }]);
  });

  test('is named when it does not exist or does not run', async () => {
    const launch = (path: string) => launchAny({ path, dataDir: undefined });
    await assert.rejects(launch('/nowhere/chromium'), unavailable(/TRAWL_BROWSER_PATH is \/nowhere.*does not exist/));
    await assert.rejects(launch('/etc/passwd'), unavailable(/cannot be run/));
    await assert.rejects(launch('/bin/false'), unavailable(/\/bin\/false does not start: it ends at once/));
  });
});
