import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finishedBatch, startBatch } from './support/batch.ts';
import { startProcess, type TrawlProcess } from './support/process.ts';
import { startReceiver, told } from './support/receiver.ts';
import { settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';

const FULL = process.env.TRAWL_TEST_FULL === '1';
const KILLS = FULL ? 8 : 2;
const PAGES = 60 * KILLS;

const site = await shared(startSite());
const receiver = await shared(startReceiver());
const urls = Array.from({ length: PAGES }, (_, index) => site.page(`/${index}`, html(`<h1>Page ${index}</h1>`)));

/** This many `trawl serve` processes. We cannot know which one delivers, so all are killed and restarted. */
const PROCESSES = { SQLite: 1, PostgreSQL: 2 };

describe('webhooks through kill -9', { concurrency: true }, () => {
  for (const { name, skip, create } of STORE_KINDS) {
    test(`${name}: every event is delivered at least once, and in order`, { skip, timeout: 600_000 }, async () => {
      await using location = await create();
      await using running = new AsyncDisposableStack();
      const processes: TrawlProcess[] = [];
      const start = async (index: number) => {
        processes[index] = running.use(await startProcess(settingsOf(location.options)));
      };
      for (let index = 0; index < PROCESSES[name]; index++) await start(index);
      const [first] = processes;
      assert.ok(first);
      const path = `/${name}`;
      const { id } = await startBatch(first, { urls, maxAge: 0, webhook: receiver.url(path) });
      for (let kill = 0; kill < KILLS; kill++) {
        // In the middle of a delivery: it has arrived but has no answer yet.
        const killed = Promise.withResolvers<number>();
        receiver.answer(() => killed.promise, path);
        await receiver.until(receiver.received(path).length + 1, path);
        await Promise.all(processes.map((one) => one.stop('SIGKILL')));
        receiver.answer(200, path);
        killed.resolve(200);
        for (const index of processes.keys()) await start(index);
        await receiver.until(receiver.received(path).length + 20, path);
      }
      const [api] = processes;
      assert.ok(api);
      const { data } = await finishedBatch(api, id);
      const received = await receiver.until((all) => all.at(-1)?.event.type === 'batch_scrape.completed', path);
      // A repeated event arrives twice in a row.
      const once = received.filter(({ event }, index) => event.webhookId !== received[index - 1]?.event.webhookId);
      assert.deepEqual(told(once), [
        'started',
        ...data.map(({ metadata }) => `page ${metadata.sourceURL}`),
        'completed',
      ]);
      assert.equal(data.length, PAGES);
      assert.equal(received.length, once.length + KILLS);
    });
  }
});
