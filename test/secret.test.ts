import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { batchErrors, finishedBatch, startBatch } from './support/batch.ts';
import { startReceiver } from './support/receiver.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const ONE = 'one-secret-of-at-least-32-characters';
const OTHER = 'another-secret-of-at-least-32-characters';

let release = () => {};
const first = site.page('/first', (_request, response) => {
  release = () => response.end('there');
});
const last = site.page('/last', html('<h1>Last</h1>'));

/** Starts jobs and closes the service when each has done the first of its two pages. Returns their ids. */
async function leaveUnfinished(settings: Record<string, string>, jobs: readonly object[]): Promise<string[]> {
  const trawl = await startTrawl(settings);
  const releases: (() => void)[] = [];
  const ids: string[] = [];
  const headers = { authorization: 'Bearer mine' };
  for (const job of jobs) {
    const before = release;
    const { id } = await startBatch(trawl, { urls: [first, last], headers, maxAge: 0, maxConcurrency: 1, ...job });
    ids.push(id);
    while (release === before) await setImmediate();
    releases.push(release);
  }
  // A closing service finishes the pages in progress and starts no others.
  const closed = trawl[Symbol.asyncDispose]();
  for (const one of releases) one();
  await closed;
  return ids;
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`TRAWL_SECRET on ${name}`, { skip }, () => {
    test('a job continues after a restart with the same secret, configured or generated', async () => {
      for (const given of [{}, { TRAWL_SECRET: ONE }]) {
        await using location = await create();
        const settings = { ...settingsOf(location.options), ...given };
        const [id = ''] = await leaveUnfinished(settings, [{ zeroDataRetention: true }]);
        await using second = await startTrawl(settings);
        const done = await finishedBatch(second, id);
        assert.deepEqual(done.data.map(({ metadata }) => metadata.sourceURL).sort(), [first, last]);
        const { headers } = site.requests.findLast(({ path }) => path === '/last') ?? {};
        assert.equal(headers?.authorization, 'Bearer mine');
      }
    });

    test('under another secret jobs fail and say why', async () => {
      await using location = await create();
      await using receiver = await startReceiver();
      receiver.answer(503);
      const settings = settingsOf(location.options);
      const webhook = receiver.url();
      const ids = await leaveUnfinished({ ...settings, TRAWL_SECRET: ONE }, [
        { zeroDataRetention: true, webhook },
        { zeroDataRetention: false, webhook },
      ]);
      await using second = await startTrawl({ ...settings, TRAWL_SECRET: OTHER });
      const [hidden = '', ordinary = ''] = ids;
      const done = await finishedBatch(second, ordinary);
      assert.deepEqual([done.data.length, done.completed, done.total], [1, 2, 2]);
      const { errors } = await batchErrors(second, ordinary);
      assert.deepEqual(
        errors.map((error) => [error.url, error.code]),
        [[last, 'SECRET_MISMATCH']],
      );
      assert.match(errors[0]?.error ?? '', /another TRAWL_SECRET/);

      for (const path of ['', '/errors']) {
        const { status, body } = await second.get(`/v2/batch/scrape/${hidden}${path}`);
        assert.deepEqual([status, body.code], [500, 'SECRET_MISMATCH'], path);
      }
      const waiting = 'select count(*) as count from job_tasks where state < 2';
      while (Number((await rowsIn(location.options, waiting))[0]?.count) > 0);
      // New data is sealed with the new secret.
      const { id } = await startBatch(second, { urls: [last], zeroDataRetention: true });
      assert.equal((await finishedBatch(second, id)).completed, 1);
    });
  });
}

test('a configured secret is not stored', async () => {
  await using trawl = await startTrawl({ TRAWL_SECRET: ONE });
  assert.ok(!readdirSync(trawl.dataDir).includes('secret'));
});
