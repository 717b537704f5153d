import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type BatchStatus, batchErrors, finishedBatch, startBatch } from './support/batch.ts';
import { startProcess } from './support/process.ts';
import { startReceiver } from './support/receiver.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const [ONE, OTHER] = ['one secret of at least 32 characters', 'another secret of 32 characters....'].map((text) =>
  text.replaceAll(' ', '-'),
);

for (const { name, skip, create } of STORE_KINDS) {
  describe(`TRAWL_SECRET on ${name}`, { skip }, () => {
    test('a job goes on after a restart with the same secret, given or made', async () => {
      for (const given of [{}, { TRAWL_SECRET: ONE ?? '' }]) {
        await using place = await create();
        const settings = { ...settingsOf(place.options), ...given };
        const held = Promise.withResolvers<void>();
        const url = site.page('/held', (_request, response) => void held.promise.then(() => response.end('there')));
        const options = { zeroDataRetention: true, maxAge: 0, headers: { authorization: 'Bearer mine' } };
        const first = await startProcess(settings);
        const { id } = await startBatch(first, { urls: [url], ...options });
        await first.stop('SIGKILL');
        held.resolve();
        await using second = await startTrawl(settings);
        const done = await finishedBatch(second, id);
        assert.deepEqual([done.completed, done.data[0]?.metadata.sourceURL], [1, url]);
        assert.equal(site.requests.findLast(({ path }) => path === '/held')?.headers.authorization, 'Bearer mine');
      }
    });

    test('under another secret jobs end, and say why they could not be done', async () => {
      await using place = await create();
      await using receiver = await startReceiver();
      receiver.answer(503);
      const settings = settingsOf(place.options);
      const url = site.page('/done', html('<h1>Done</h1>'));
      const never = site.page('/never', () => {});
      let ids: string[];
      {
        await using first = await startTrawl({ ...settings, TRAWL_SECRET: ONE ?? '' });
        const jobs = await Promise.all(
          [true, false].map((zeroDataRetention) =>
            startBatch(first, { urls: [url, never], zeroDataRetention, webhook: receiver.url(), maxAge: 0 }),
          ),
        );
        ids = jobs.map(({ id }) => id);
        await receiver.until(2);
        for (const { id } of jobs) {
          while ((await first.get<BatchStatus>(`/v2/batch/scrape/${id}`)).body.completed === 0);
        }
      }
      await using second = await startTrawl({ ...settings, TRAWL_SECRET: OTHER ?? '' });
      const [hidden = '', ordinary = ''] = ids;
      const done = await finishedBatch(second, ordinary);
      assert.deepEqual([done.completed, done.total], [1, 2]);
      const { errors } = await batchErrors(second, ordinary);
      assert.deepEqual(
        errors.map((error) => [error.url, error.code]),
        [[never, 'SECRET_MISMATCH']],
      );
      assert.match(errors[0]?.error ?? '', /another TRAWL_SECRET/);

      for (const path of ['', '/errors']) {
        const { status, body } = await second.get(`/v2/batch/scrape/${hidden}${path}`);
        assert.deepEqual([status, body.code], [500, 'SECRET_MISMATCH'], path);
      }
      const waiting = 'select count(*) as count from job_pages where state < 2';
      while (Number((await rowsIn(place.options, waiting))[0]?.count) > 0);
      // What is new is sealed with the new one.
      const { id } = await startBatch(second, { urls: [url], zeroDataRetention: true });
      assert.equal((await finishedBatch(second, id)).completed, 1);
    });
  });
}

test('a given secret is kept nowhere', async () => {
  await using trawl = await startTrawl({ TRAWL_SECRET: ONE ?? '' });
  assert.ok(!readdirSync(trawl.dataDir).includes('secret'));
});
