import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rowsIn } from '../../test/support/rows.ts';
import { makeTeam, newBatch, newCharge } from '../../test/support/store-rows.ts';
import { openOwnStore, STORE_KINDS } from '../../test/support/stores.ts';
import { newId, now } from '../clock.ts';
import { compress } from './compression.ts';
import type { StoreOptions } from './open-store.ts';
import type { NewTask } from './operations/jobs/add-tasks.ts';
import type { ClaimedTask } from './operations/jobs/claim-tasks.ts';
import type { TaskEnd } from './operations/jobs/end-task.ts';
import type { HostPace } from './operations/jobs/paces.ts';
import { LANE_CONCURRENCY } from './operations/jobs/rows.ts';
import type { NewJob } from './operations/jobs/start-job.ts';
import type { Store } from './store.ts';

const CONCURRENCY = { unlimited: null };
const full = { teams: [], jobs: [] };

type Owner = Awaited<ReturnType<typeof makeTeam>>;

async function startJob(
  store: Store,
  owner: Owner,
  pages: readonly NewTask[],
  given: Partial<NewJob> = {},
): Promise<NewJob> {
  const batch = newBatch(owner, pages, given);
  const answer = await store.jobs.start(batch);
  assert.equal(answer.type, 'accepted');
  return batch.job;
}

/** The sealed name of a page's host, as in claims. */
function hostOf({ payload }: { payload: string }): string {
  return new URL(payload).host;
}

function pagesOn(host: string, count: number): NewTask[] {
  return Array.from({ length: count }, (_, index) => ({
    key: null,
    payload: `http://${host}/${index}`,
    host,
    depth: 0,
  }));
}

/**
 * Makes PostgreSQL plan for the tables as they are now, until it analyzes them again by itself. SQLite does not plan by
 * size.
 */
async function readStatistics({ databaseUrl, dataDir }: StoreOptions): Promise<void> {
  if (databaseUrl === undefined) return;
  await rowsIn({ databaseUrl, dataDir }, 'alter table job_tasks set (autovacuum_enabled = off)');
  await rowsIn({ databaseUrl, dataDir }, 'analyze job_tasks');
}

/** Claims until nothing more is ready at `at`. */
async function claimAll(store: Store, worker: number, at: number, limit = 1000): Promise<ClaimedTask[]> {
  const claimed: ClaimedTask[] = [];
  for (;;) {
    const nextAt = await store.jobs.nextReadyAt();
    if (nextAt === null || nextAt > at || claimed.length >= limit) return claimed;
    const claim = { worker, limit: limit - claimed.length, at, concurrency: CONCURRENCY, full };
    claimed.push(...(await store.jobs.claim(claim)));
  }
}

async function done(owner: Owner, found: readonly NewTask[] = []): Promise<TaskEnd> {
  return {
    type: 'done',
    tryId: newId(),
    document: await compress('{"markdown":"Here"}'),
    charge: newCharge(owner),
    found,
  };
}

async function complete(store: Store, worker: number, pages: readonly ClaimedTask[], end: TaskEnd, at = now()) {
  await store.jobs.complete({ worker, at, ended: pages.map((page) => ({ ...page, end })), hosts: [] });
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`jobs in ${name}`, { skip }, () => {
    test('pages use the slots that scrapes of the team leave free, and one if there are none', async () => {
      await using on = await openOwnStore({ create });
      const { jobs, limits } = on.store;
      const [owner, other] = [await makeTeam(on.store), await makeTeam(on.store)];
      const worker = await jobs.addWorker(now() + 60_000);
      const take = (teamId: string, count: number) =>
        Promise.all(Array.from({ length: count }, () => limits.takeSlot(teamId, 4)));
      const claim = async (at: number) => {
        const claimed: ClaimedTask[] = [];
        while (((await jobs.nextReadyAt()) ?? Number.POSITIVE_INFINITY) <= at) {
          claimed.push(...(await jobs.claim({ worker, limit: 16, at, concurrency: { unlimited: 4 }, full })));
        }
        return claimed;
      };
      const scrapes = await take(owner.teamId, 4);
      await take(other.teamId, 4);
      await startJob(on.store, owner, pagesOn('a.test', 9));
      const start = now();
      const [first, ...none] = await claim(start);
      assert.ok(first && none.length === 0);
      // No event announces a free slot, so the worker checks again after a moment.
      await scrapes[0]?.release();
      assert.deepEqual(await claim(start + 100), []);
      assert.deepEqual(await claim(start + 200), []);
      await scrapes[1]?.release();
      assert.equal((await claim(start + 400)).length, 1);
      await Promise.all(scrapes.map((slot) => slot?.release()));
      assert.equal((await claim(start + 600)).length, 2);
      assert.equal(await jobs.nextReadyAt(), null, 'only the end of a page frees a slot now');
      await take(owner.teamId, 4);
      await complete(on.store, worker, [first], await done(owner), start + 600);
      assert.deepEqual(await claim(start + 800), []);
    });

    test('many addresses are added over connections with plans for a small table', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      const { id } = await startJob(on.store, owner, pagesOn('large.test', 60));
      await readStatistics(on.options);
      const add = (count: number) => {
        const limits = { queuedTasks: null, credits: null };
        const of = { id, teamId: owner.teamId, kind: 'batch' as const, at: now(), request: null, limits };
        return on.store.jobs.append({ ...of, tasks: pagesOn('large.test', count) });
      };
      // After a few executions, a connection keeps its plan.
      for (let round = 0; round < 10; round++) await add(1);
      // With a plan that reads the whole table for each address, this would exceed the time limit of a statement.
      for (let round = 0; round < 2; round++) await add(20_000);
      assert.equal((await on.store.jobs.find(owner.teamId, 'batch', id))?.total, 40_070);
    });

    test('claims are spread over hosts, with a maximum for each host', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      await startJob(on.store, owner, [...pagesOn('large.test', 500), ...pagesOn('small.test', 5)]);
      const [first, all] = [
        await on.store.jobs.claim({ worker, limit: 8, at: now(), concurrency: CONCURRENCY, full }),
        await claimAll(on.store, worker, now()),
      ];
      assert.equal(first.filter((page) => hostOf(page) === 'small.test').length, 4, 'half of the first ones');
      const together = [...first, ...all];
      assert.equal(together.filter((page) => hostOf(page) === 'small.test').length, 5);
      assert.equal(together.filter((page) => hostOf(page) === 'large.test').length, LANE_CONCURRENCY);
      assert.deepEqual(
        first
          .map(({ payload }) => payload)
          .sort()
          .slice(0, 4),
        pagesOn('large.test', 4).map(({ payload }) => payload),
      );
      assert.equal(await on.store.jobs.nextReadyAt(), null);
      await complete(
        on.store,
        worker,
        together.filter((page) => hostOf(page) === 'large.test').slice(0, 3),
        await done(owner),
      );
      assert.equal((await claimAll(on.store, worker, now())).length, 3);
    });

    test('teams take turns, and so do the jobs of a team', async () => {
      await using on = await openOwnStore({ create });
      const [one, other] = [await makeTeam(on.store), await makeTeam(on.store)];
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      for (let count = 0; count < 5; count++) await startJob(on.store, one, pagesOn(`${count}.test`, 100));
      await startJob(on.store, other, pagesOn('other.test', 100));
      const claim = (at: number) => on.store.jobs.claim({ worker, limit: 5, at, concurrency: CONCURRENCY, full });
      const at = now();
      const [first, second] = [await claim(at), await claim(at + 1)];
      assert.deepEqual(new Set([...first, ...second].map(({ teamId }) => teamId)), new Set([one.teamId, other.teamId]));
      const ofOne = first[0]?.teamId === one.teamId ? first : second;
      assert.equal(new Set(ofOne.map(({ job }) => job)).size, 5, 'each of its jobs gets one');
      assert.deepEqual(new Set((await claim(at + 2)).map(({ teamId }) => teamId)), new Set([first[0]?.teamId]));
    });

    test('the job with the lowest priority number goes first', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      await startJob(on.store, owner, pagesOn('later.test', 3), { priority: 1 });
      await startJob(on.store, owner, pagesOn('sooner.test', 3), { priority: 0 });
      const pages = await on.store.jobs.claim({ worker, limit: 1, at: now(), concurrency: CONCURRENCY, full });
      assert.deepEqual(pages.map(hostOf), ['sooner.test']);
    });

    test('teams and jobs that have their share are skipped', async () => {
      await using on = await openOwnStore({ create });
      const [one, other] = [await makeTeam(on.store), await makeTeam(on.store)];
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      await startJob(on.store, one, pagesOn('a.test', 5));
      await startJob(on.store, other, pagesOn('b.test', 5));
      await startJob(on.store, other, pagesOn('c.test', 5));
      const claim = (teams: string[], jobs: number[]) =>
        on.store.jobs.claim({ worker, limit: 2, at: now(), concurrency: CONCURRENCY, full: { teams, jobs } });
      const pages = await claim([one.teamId], []);
      assert.deepEqual(pages.map(hostOf).sort(), ['b.test', 'c.test']);
      const [first] = pages;
      const others = await claim([one.teamId], [first?.job ?? 0]);
      assert.ok(others.length === 2 && others.every(({ host }) => host !== first?.host));
      assert.deepEqual(await claim([one.teamId, other.teamId], []), []);
    });

    test('the plan, the job and its delay limit the running tasks', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      const at = now();
      await startJob(on.store, owner, pagesOn('two.test', 10), { maxConcurrency: 2, createdAt: at });
      await startJob(on.store, owner, pagesOn('slow.test', 10), { delay: 5000, createdAt: at });
      const pages = await claimAll(on.store, worker, at);
      assert.deepEqual(pages.map(hostOf).sort(), ['slow.test', 'two.test', 'two.test']);
      assert.deepEqual((await claimAll(on.store, worker, at + 4999)).length, 0);
      assert.deepEqual(
        (await claimAll(on.store, worker, at + 5000)).map(({ payload }) => payload),
        ['http://slow.test/1'],
      );

      await startJob(on.store, owner, pagesOn('many.test', 10), { createdAt: at });
      const claim = { worker, limit: 100, at: at + 5000, concurrency: { unlimited: 6 }, full };
      assert.equal((await on.store.jobs.claim(claim)).length, 2, 'four are already running');
      assert.equal((await on.store.jobs.claim(claim)).length, 0);
      assert.deepEqual(await on.store.jobs.count(owner.teamId), { waiting: 24, running: 6 });
    });

    test('the pace of a host applies to all jobs', async () => {
      await using on = await openOwnStore({ create });
      const owners = [await makeTeam(on.store), await makeTeam(on.store)];
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      const at = now();
      const hosts: HostPace[] = [{ type: 'slower', host: 'slow.test', nextAt: at + 100, delay: 1000 }];
      await on.store.jobs.complete({ worker, at, ended: [], hosts });
      for (const owner of owners) await startJob(on.store, owner, pagesOn('slow.test', 2), { createdAt: at });
      assert.equal((await claimAll(on.store, worker, at + 99)).length, 0);
      for (const [index, time] of [100, 1100, 2100, 3100].entries()) {
        const pages = await claimAll(on.store, worker, at + time);
        assert.equal(pages.length, 1, `page ${index}`);
        assert.equal(pages[0]?.hostDelay, 1000);
        assert.equal((await claimAll(on.store, worker, at + time + 999)).length, 0);
      }
      assert.equal(await on.store.jobs.nextReadyAt(), null);
    });

    test('the slowest reported pace of a host counts, until the host proves able to serve a quicker one', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      const at = now();
      await startJob(on.store, owner, pagesOn('slow.test', 20), { createdAt: at });
      /** After these reports, nothing is claimed before `late` ms; then this many pages are claimed at this pace. */
      const pace = async (late: number, ...hosts: HostPace[]) => {
        await on.store.jobs.complete({ worker, at, ended: [], hosts });
        assert.equal((await claimAll(on.store, worker, at + late - 1)).length, 0);
        const pages = await claimAll(on.store, worker, at + late);
        return [pages.length, pages[0]?.hostDelay];
      };
      const slower = (nextAt: number, delay: number): HostPace => {
        return { type: 'slower', host: 'slow.test', nextAt: at + nextAt, delay };
      };
      const quicker = (from: number, to: number): HostPace => ({ type: 'quicker', host: 'slow.test', from, to });
      assert.deepEqual(await pace(100, slower(100, 500), slower(50, 1000), slower(20, 250)), [1, 1000]);
      assert.deepEqual(await pace(1_100, quicker(500, 400)), [1, 1000]);
      assert.deepEqual(await pace(2_100, quicker(1000, 900)), [1, 900]);
      assert.deepEqual(await pace(3_000, slower(0, 300)), [1, 900]);
      assert.deepEqual(await pace(3_900, quicker(900, 0)), [LANE_CONCURRENCY - 4, 0]);
    });

    test('the pace of a robots.txt applies only to the lanes of the crawlers that it names', async () => {
      await using on = await openOwnStore({ create });
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      const at = now();
      const lanes: { team: number; lane: number }[] = [];
      for (let count = 0; count < 3; count++) {
        await startJob(on.store, await makeTeam(on.store), pagesOn('slow.test', 6), { createdAt: at });
        const [page, ...others] = await claimAll(on.store, worker, at);
        assert.ok(page !== undefined);
        lanes.push({ team: page.team, lane: page.lane });
        const ended = [page, ...others].map((one) => ({ ...one, end: { type: 'returned' as const, runAt: at } }));
        await on.store.jobs.complete({ worker, at, ended, hosts: [] });
      }
      const [first, second, third] = lanes;
      assert.ok(first && second && third);
      const robots = (of: typeof first, agent: string, delay: number): HostPace => {
        return { type: 'robots', host: 'slow.test', ...of, agent, nextAt: at, delay };
      };
      const tell = (...hosts: HostPace[]) => on.store.jobs.complete({ worker, at, ended: [], hosts });
      /** The lane and delay of each page that can be claimed at this time. */
      const claimed = async (late: number) => {
        const pages = await claimAll(on.store, worker, at + late);
        return pages.map(({ lane, robotsDelay, hostDelay }) => [lane, robotsDelay, hostDelay]);
      };
      // Two lanes share the pace of one agent.
      await tell(robots(first, 'slow', 1000), robots(second, 'slow', 1000));
      const now0 = await claimed(0);
      assert.equal(now0.filter(([lane]) => lane === third.lane).length, 6, 'the third has no pace');
      assert.deepEqual(
        now0.filter(([lane]) => lane !== third.lane).map(([, delay]) => delay),
        [1000],
      );
      assert.deepEqual(await claimed(999), []);
      assert.equal((await claimed(1000)).length, 1);
      assert.equal((await claimed(2000)).length, 1);
      // The last value read applies, and another agent has its own.
      await tell(robots(first, 'slow', 100), robots(second, 'other', 300));
      const both = await claimed(3000);
      assert.deepEqual(
        both.sort(),
        [
          [first.lane, 100, 0],
          [second.lane, 300, 0],
        ].sort(),
      );
      assert.deepEqual(await claimed(3100), [[first.lane, 100, 0]]);
      // That a host is busy concerns all of them.
      await tell({ type: 'slower', host: 'slow.test', nextAt: at + 5000, delay: 2000 });
      assert.deepEqual(await claimed(4999), []);
      assert.equal((await claimed(5000)).length, 1);
      assert.deepEqual(
        (await claimed(7000)).map(([, , delay]) => delay),
        [2000],
      );
    });

    test('a retried page can be claimed after its pause, and a returned one at once', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      const at = now();
      await startJob(on.store, owner, pagesOn('a.test', 2), { createdAt: at });
      const [again, returned] = await claimAll(on.store, worker, at);
      assert.ok(again !== undefined && returned !== undefined);
      await complete(on.store, worker, [again], { type: 'again', runAt: at + 2000 }, at);
      await complete(on.store, worker, [returned], { type: 'returned', runAt: at }, at);
      const back = await claimAll(on.store, worker, at);
      assert.deepEqual(
        back.map(({ key, attempts }) => [key, attempts]),
        [[returned.key, 0]],
      );
      assert.equal(await on.store.jobs.nextReadyAt(), at + 2000);
      const later = await claimAll(on.store, worker, at + 2000);
      assert.deepEqual(
        later.map(({ key, attempts }) => [key, attempts]),
        [[again.key, 1]],
      );
    });

    test('pages found on a page are added once, counted, and scraped before the job ends', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      const page = (path: string): NewTask => ({
        key: path,
        payload: `http://a.test${path}`,
        host: 'a.test',
        depth: 1,
      });
      const { id } = await startJob(on.store, owner, [page('/'), page('/b')]);
      const found = [page('/'), page('/b'), page('/c'), page('/c'), { ...page('/d'), host: 'b.test' }];
      const pages = await claimAll(on.store, worker, now());
      await complete(on.store, worker, pages, await done(owner, found));
      const next = await claimAll(on.store, worker, now());
      assert.deepEqual(next.map(({ key, depth }) => [key, depth]).sort(), [
        ['/c', 1],
        ['/d', 1],
      ]);
      const open = await on.store.jobs.find(owner.teamId, 'batch', id);
      assert.deepEqual([open?.status, open?.total, open?.completed], ['scraping', 4, 2]);
      await complete(on.store, worker, next, await done(owner));
      const ended = await on.store.jobs.find(owner.teamId, 'batch', id);
      assert.deepEqual([ended?.status, ended?.total, ended?.completed, ended?.credits], ['completed', 4, 4, 4]);
    });

    test('only the last claim of a task can complete it: it counts once, and is charged once', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      const [lost, other] = [await on.store.jobs.addWorker(now() - 1), await on.store.jobs.addWorker(now() + 60_000)];
      const { id } = await startJob(on.store, owner, pagesOn('a.test', 1));
      const [page] = await claimAll(on.store, lost, now());
      assert.ok(page !== undefined);
      const found = await on.store.jobs.lostWorker(10);
      assert.deepEqual(
        found?.tasks.map(({ key, losses }) => [key, losses]),
        [[page.key, 0]],
      );
      await complete(on.store, lost, [page], { type: 'lost' });
      await on.store.jobs.removeWorker(lost);
      assert.equal(await on.store.jobs.lostWorker(10), null);
      assert.equal(await on.store.jobs.renewWorker(lost, now() + 60_000), false);
      const claim = { worker: lost, limit: 1, at: now(), concurrency: CONCURRENCY, full };
      assert.deepEqual(await on.store.jobs.claim(claim), [], 'tasks of a removed worker would never be handed on');
      const [same] = await claimAll(on.store, other, now());
      assert.equal(same?.key, page.key);
      assert.deepEqual(
        (await on.store.jobs.held(other, 10)).map(({ key, lane }) => [key, lane]),
        [[page.key, page.lane]],
      );
      await complete(on.store, lost, [page], await done(owner));
      assert.equal((await on.store.jobs.find(owner.teamId, 'batch', id))?.completed, 0);
      for (let time = 0; time < 2; time++) await complete(on.store, other, [page], await done(owner));
      assert.deepEqual(await on.store.jobs.held(other, 10), []);
      const job = await on.store.jobs.find(owner.teamId, 'batch', id);
      assert.deepEqual([job?.status, job?.completed, job?.credits], ['completed', 1, 1]);
      const [charges] = await rowsIn(on.options, 'select cast(count(*) as text) as count from charges');
      assert.equal(charges?.count, '1');
    });

    test('concurrent workers get each page once', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      await startJob(
        on.store,
        owner,
        [...Array(50).keys()].flatMap((host) => pagesOn(`${host}.test`, 20)),
      );
      const seen = new Set<string>();
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          const worker = await on.store.jobs.addWorker(now() + 60_000);
          for (;;) {
            const pages = await on.store.jobs.claim({ worker, limit: 16, at: now(), concurrency: CONCURRENCY, full });
            if (pages.length === 0 && seen.size === 1000) return;
            for (const { payload: url } of pages) {
              assert.ok(!seen.has(url), url);
              seen.add(url);
            }
            if (pages.length > 0) await complete(on.store, worker, pages, await done(owner));
          }
        }),
      );
      assert.deepEqual(await on.store.jobs.count(owner.teamId), { waiting: 0, running: 0 });
    });

    test('an expired job is removed in small steps, and leaves nothing', async () => {
      await using on = await openOwnStore({ create });
      const owner = await makeTeam(on.store);
      const worker = await on.store.jobs.addWorker(now() + 60_000);
      const { id } = await startJob(on.store, owner, pagesOn('a.test', 250));
      const other = await startJob(on.store, owner, pagesOn('b.test', 1));
      for (;;) {
        const pages = await claimAll(on.store, worker, now());
        if (pages.length === 0) break;
        await complete(
          on.store,
          worker,
          pages.filter((page) => hostOf(page) === 'a.test'),
          await done(owner),
        );
      }
      const job = await on.store.jobs.find(owner.teamId, 'batch', id);
      assert.equal(job?.status, 'completed');
      while (await on.store.sweep({ now: job?.expiresAt ?? 0, cacheBytes: 0 }));
      for (const table of ['jobs', 'job_progress', 'job_lanes', 'job_tasks']) {
        const [row] = await rowsIn(on.options, `select cast(count(*) as text) as count from ${table}`);
        assert.equal(row?.count, '1', `${table}: the row of the other job`);
      }
      const [row] = await rowsIn(on.options, 'select cast(count(*) as text) as count from job_results');
      assert.equal(row?.count, '0');
      assert.equal((await on.store.jobs.find(owner.teamId, 'batch', other.id))?.status, 'scraping');
    });

    test('only one of several concurrent callers gets the turn of a schedule, and the next turn comes when it is due', async () => {
      await using on = await openOwnStore({ create });
      const { schedules } = on.store;
      const hourly = { teamId: null, id: 'sweep', kind: 'sweep', cron: '0 * * * *', zone: 'UTC', options: null };
      await schedules.put({ ...hourly, nextAt: 1_000 });
      assert.deepEqual(await schedules.due(999, 10), []);
      const [due] = await schedules.due(1_000, 10);
      assert.ok(due);
      const takes = await Promise.all([1, 2, 3].map(() => schedules.take(due, 61_000)));
      assert.equal(takes.filter(Boolean).length, 1);
      // A process that starts adds it again, and it keeps its turn.
      await schedules.put({ ...hourly, nextAt: 5_000 });
      assert.deepEqual(await schedules.due(60_999, 10), []);
      assert.equal((await schedules.due(61_000, 10)).length, 1);
      await schedules.put({ ...hourly, cron: '30 * * * *', nextAt: 70_000 });
      assert.deepEqual(await schedules.due(61_000, 10), []);
    });
  });
}
