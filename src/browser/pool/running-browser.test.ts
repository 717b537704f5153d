import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { launchAny } from '../process/launch.ts';
import { type EndReason, RunningBrowser } from './running-browser.ts';

const ROOMY = { contexts: 4, bytes: 2 ** 40, pageBytes: 2 ** 40 };
const skip = process.platform !== 'linux' && 'memory is read from /proc';

async function start() {
  const { promise: ended, resolve } = Promise.withResolvers<EndReason>();
  const running = new RunningBrowser(await launchAny({ path: undefined, dataDir: undefined }), resolve);
  return { running, ended, [Symbol.asyncDispose]: () => running.stop('shutdown') };
}

describe('a running browser', { skip }, () => {
  test('that is retired finishes its pages, gets no other, and ends with the last', async () => {
    await using started = await start();
    const { running, ended } = started;
    const lease = running.lease();
    running.retire('pages');
    assert.equal(running.isFresh, false);
    const context = await running.browser.newContext();
    const page = await context.newPage();
    assert.equal(await page.evaluate(() => 1 + 1), 2);
    await running.close(context, lease);
    assert.equal(lease.gone.aborted, false);
    lease[Symbol.dispose]();
    assert.equal(await ended, 'pages');
    await running.stop('shutdown');
    assert.ok(!existsSync(running.launched.process.profile));
  });

  test('that is killed tells each of its pages', async () => {
    await using started = await start();
    const { running, ended } = started;
    using lease = running.lease();
    const told = once(lease.gone, 'abort');
    process.kill(running.launched.process.pid, 'SIGKILL');
    await told;
    assert.equal(await ended, 'crashed');
    using late = running.lease();
    assert.ok(late.gone.aborted);
  });

  test('loses only the page that takes more memory than a page may', async () => {
    await using started = await start();
    const { running } = started;
    using _lease = running.lease();
    const [large, small] = await Promise.all([running.browser.newPage(), running.browser.newPage()]);
    await large.evaluate('globalThis.all = new Uint8Array(3e8).fill(1); 0');
    await running.check(ROOMY);
    assert.ok(running.bytes > 3e8, String(running.bytes));
    assert.equal(running.wasOverweight, false);
    const crashed = large.waitForEvent('crash');
    await running.check({ ...ROOMY, pageBytes: 2.5e8 });
    await crashed;
    assert.equal(running.wasOverweight, true);
    assert.equal(await small.evaluate(() => 1 + 1), 2);
  });

  test('that does not close a context is retired, and does not keep the caller', async () => {
    await using started = await start();
    const { running, ended } = started;
    const lease = running.lease();
    const context = await running.browser.newContext();
    process.kill(-running.launched.process.pid, 'SIGSTOP');
    await running.close(context, lease);
    assert.equal(running.isFresh, false);
    lease[Symbol.dispose]();
    assert.equal(await ended, 'hung');
    await running.launched.process.exited;
  });
});
