import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchErrors, finishedBatch, startBatch } from './support/batch.ts';
import * as hostile from './support/hostile.ts';
import { FourProcesses, OneProcess } from './support/job-processes.ts';
import { Random } from './support/random.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS, type StoreLocation } from './support/stores.ts';

const FULL = process.env.TRAWL_TEST_FULL === '1';
const KILLS = FULL ? 30 : 3;
const PAGES = FULL ? 6_000 : 600;

const site = await shared(startSite());
const page = html('<h1>Here</h1>');
/** Most pages answer, some of them with an error, which counts as a result. Some give no result. */
const urls = Array.from({ length: PAGES }, (_, index) => {
  if (index % 50 === 7) return site.page(`/${index}`, { status: 404, body: page });
  if (index % 50 === 9) return site.page(`/${index}`, hostile.notHttp);
  return site.page(`/${index}`, page);
});
const failing = urls.filter((_, index) => index % 50 === 9);
const delivered = urls.filter((_, index) => index % 50 !== 9);

describe('work through kill -9 of random processes', () => {
  for (const { name, skip, create } of STORE_KINDS) {
    test(`${name}: no page is lost, returned twice or charged twice`, { skip, timeout: 600_000 }, async () => {
      await using location = await create();
      const random = new Random(1_10);
      await using processes = name === 'SQLite' ? new OneProcess(location) : new FourProcesses(location);
      await processes.start();
      const ids = await Promise.all(
        [0, 1].map(async (part) => {
          const half = urls.filter((_, index) => index % 2 === part);
          return (await startBatch(processes.api, { urls: half, maxAge: 0 })).id;
        }),
      );
      for (let kill = 0; kill < KILLS; kill++) {
        await seenSince(20 + random.below(Math.floor(PAGES / KILLS / 2)));
        await processes.kill(random);
      }
      const batches = [];
      for (const id of ids) batches.push(await finishedBatch(processes.api, id));
      assert.deepEqual(
        batches.map(({ status }) => status),
        ['completed', 'completed'],
      );
      assert.deepEqual(
        batches.flatMap(({ data }) => data.map(({ metadata }) => metadata.sourceURL)).sort(),
        [...delivered].sort(),
      );
      for (const { total, completed, creditsUsed, data } of batches) {
        assert.deepEqual([completed, creditsUsed], [total, data.length]);
      }
      const reports = [];
      for (const id of ids) reports.push(await batchErrors(processes.api, id));
      assert.deepEqual(reports.flatMap(({ errors }) => errors.map(({ url }) => url)).sort(), [...failing].sort());
      await assertCounts(location, delivered.length);
    });
  }
});

/** The rows in the store add up. They are read directly, not through its interface. */
async function assertCounts({ options }: StoreLocation, results: number): Promise<void> {
  const count = async (query: string) => {
    const [row] = await rowsIn(options, query);
    return Number(row?.count);
  };
  assert.equal(await count("select cast(count(*) as text) as count from charges where capability = 'batch'"), results);
  assert.equal(await count('select cast(sum(credits) as text) as count from usage_days'), results);
  assert.equal(await count('select cast(count(*) as text) as count from job_results'), results);
  assert.equal(await count('select cast(sum(waiting + running) as text) as count from job_teams'), 0);
  assert.equal(await count('select cast(sum(waiting + running) as text) as count from job_lanes'), 0);
  assert.equal(await count('select cast(count(*) as text) as count from job_tasks where state < 2'), 0);
}

/** Waits until the site has seen this many more requests. */
async function seenSince(more: number): Promise<void> {
  const goal = site.requests.length + more;
  const until = performance.now() + 3_000;
  // Or the work is nearly done: the remaining tasks are held by a worker that was killed.
  while (site.requests.length < goal && performance.now() < until) await sleep(5);
}
