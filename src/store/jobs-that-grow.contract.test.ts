import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rowsIn } from '../../test/support/rows.ts';
import { makeTeam, newBatch, newCharge } from '../../test/support/store-rows.ts';
import { STORE_KINDS } from '../../test/support/stores.ts';
import { newId, now } from '../clock.ts';
import { compress } from './compression.ts';
import { openStore } from './open-store.ts';
import type { NewTask } from './operations/jobs/add-tasks.ts';
import type { ClaimedTask } from './operations/jobs/claim-tasks.ts';
import type { TaskEnd } from './operations/jobs/end-task.ts';

/** Growing jobs at the level of the store. */

const page = (name: string, role: NewTask['role'] = 'main'): NewTask => ({
  role,
  key: name,
  payload: `http://a.example/${name}`,
  host: 'a.example',
  depth: 0,
});
const pages = (name: string, count: number) => Array.from({ length: count }, (_, index) => page(`${name}${index}`));
const refusedPages = (name: string, count: number) =>
  pages(name, count).map(({ payload }, index) => ({ key: `${name}${index}`, payload, tryId: newId(), error: null }));

/** A store with one growing job, and a worker. */
async function openJob(
  create: (typeof STORE_KINDS)[number]['create'],
  {
    first = [page('start')],
    taskLimit = 10,
    credits = null as number | null,
    queuedTasks = null as number | null,
  } = {},
) {
  const place = await create();
  const store = await openStore(place.options);
  const owner = await makeTeam(store);
  const crawl = newBatch(owner, first, { kind: 'crawl', taskLimit });
  const { id } = crawl.job;
  const span = { firstDay: 0, endDay: 100_000 };
  const limits = { queuedTasks, credits: credits === null ? null : { span, limit: credits } };
  const answer = await store.jobs.start({ ...crawl, limits });
  const worker = await store.jobs.addWorker(now() + 60_000);
  const claim = async (limit = 1000) => {
    const claimed: ClaimedTask[] = [];
    for (;;) {
      const more = await store.jobs.claim({
        worker,
        limit: limit - claimed.length,
        at: now(),
        concurrency: { unlimited: null },
        full: { teams: [], jobs: [] },
      });
      claimed.push(...more);
      if (more.length === 0 || claimed.length >= limit) return claimed;
    }
  };
  return {
    ...{ store, owner, id, answer, span, claim },
    end: (ended: readonly { page: ClaimedTask; end: TaskEnd }[]) =>
      store.jobs.complete({ worker, at: now(), ended: ended.map((one) => ({ ...one.page, end: one.end })), hosts: [] }),
    async done(more: Partial<Extract<TaskEnd, { type: 'done' }>> = {}): Promise<TaskEnd> {
      const document = await compress('{"markdown":"Here"}');
      return { type: 'done', tryId: newId(), document, charge: newCharge(owner), found: [], ...more };
    },
    find: async () => {
      const job = await store.jobs.find(owner.teamId, 'crawl', id);
      assert.ok(job !== null);
      return job;
    },
    rows: (query: string) => rowsIn(place.options, query),
    async [Symbol.asyncDispose]() {
      await store.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

const FAILED: TaskEnd = { type: 'failed', tryId: 'none', code: 'SCRAPE_SSL_ERROR', message: 'No.', charge: null };

for (const { name, skip, create } of STORE_KINDS) {
  describe(`a growing job in ${name}`, { skip }, () => {
    test('adds each found page once, in the order of discovery, up to its limit', async () => {
      await using on = await openJob(create, { taskLimit: 4 });
      const [start] = await on.claim();
      assert.ok(start);
      const found = [page('a'), page('start'), page('b'), page('a'), page('c'), page('d')];
      await on.end([{ page: start, end: await on.done({ found }) }]);
      assert.deepEqual((await on.claim()).map(({ key }) => key).sort(), ['a', 'b', 'c']);
      assert.equal((await on.find()).total, 4);
    });

    test('hands out a page that is found later but positioned before those already taken', async () => {
      await using on = await openJob(create);
      const [start] = await on.claim();
      assert.ok(start);
      await on.end([{ page: start, end: await on.done({ found: [page('a'), page('b')] }) }]);
      const [a] = await on.claim();
      assert.ok(a);
      // Known pages have positions too but are not counted, so the next page gets one of their positions.
      const found = ['start', 'a', 'b', 'c', 'd'].map((name) => page(name));
      await on.end([{ page: a, end: await on.done({ found }) }]);
      const [c, d] = await on.claim();
      assert.ok(c && d);
      await on.end([{ page: c, end: await on.done({ found: [page('e')] }) }]);
      assert.deepEqual(
        (await on.claim()).map(({ key }) => key),
        ['e'],
      );
    });

    test('lets a page that is found later replace one that failed', async () => {
      await using on = await openJob(create, { taskLimit: 3 });
      const [start] = await on.claim();
      assert.ok(start);
      await on.end([{ page: start, end: await on.done({ found: pages('a', 9) }) }]);
      const [bad, good] = await on.claim();
      assert.ok(bad && good);
      await on.end([{ page: bad, end: FAILED }]);
      await on.end([{ page: good, end: await on.done({ found: [page('b'), page('c')] }) }]);
      assert.deepEqual(
        (await on.claim()).map(({ key }) => key),
        ['b'],
      );
      assert.equal((await on.find()).total, 4);
    });

    test('ends after trying twice as many pages as it may have results', async () => {
      await using on = await openJob(create, { taskLimit: 2 });
      const tried: string[] = [];
      const address = { key: 'start', payload: 'http://a.example/start' };
      for (let [only] = await on.claim(); only !== undefined; [only] = await on.claim()) {
        tried.push(only.key);
        // Each has the address of the start, and links to three more.
        await on.end([{ page: only, end: await on.done({ address, found: pages(`after ${only.key} `, 3) }) }]);
      }
      const job = await on.find();
      assert.deepEqual([job.status, job.completed, job.total, tried.length], ['completed', 1, 1, 4]);
    });

    test('stores one result for each address, and neither charges nor counts others', async () => {
      await using on = await openJob(create, { first: [page('a'), page('b')] });
      const [one, other] = await on.claim();
      assert.ok(one && other);
      const address = { key: 'same', payload: 'http://a.example/same' };
      await on.end([
        { page: one, end: await on.done({ address }) },
        { page: other, end: await on.done({ address, found: [page('same'), page('c')] }) },
      ]);
      const job = await on.find();
      assert.deepEqual([job.completed, job.credits, job.total], [1, 1, 2]);
      // An address is not fetched if its content was delivered under another address.
      assert.deepEqual(
        (await on.claim()).map(({ key }) => key),
        ['c'],
      );
    });

    test('adds the pages of a sitemap while it is read, idempotently, until there is no room', async () => {
      await using on = await openJob(create, { first: [page('map', 'helper')], taskLimit: 3 });
      const [map] = await on.claim();
      assert.ok(map?.role === 'helper');
      const add = (found: NewTask[]) => on.store.jobs.addFound({ ...map, found, refused: [], at: now() });
      assert.equal(await add([page('a'), page('nested', 'helper')]), 'some');
      assert.equal(await add([page('a'), page('nested', 'helper')]), 'some');
      assert.equal(await add([page('b'), page('c'), page('d')]), 'none');
      await on.end([{ page: map, end: { type: 'helped' } }]);
      const claimed = await on.claim();
      assert.deepEqual(claimed.map(({ key, role }) => `${role} ${key}`).sort(), [
        'helper nested',
        'main a',
        'main b',
        'main c',
      ]);
      const job = await on.find();
      assert.deepEqual([job.status, job.total, job.completed], ['scraping', 3, 0]);
      await on.end(
        await Promise.all(
          claimed.map(async (one) => ({ page: one, end: one.role === 'helper' ? FAILED : await on.done() })),
        ),
      );
      const ended = await on.find();
      assert.deepEqual([ended.status, ended.total, ended.completed], ['completed', 3, 3]);
      assert.equal(await add([page('z')]), 'none', 'the job has ended');
      assert.deepEqual(
        (await on.store.jobs.failedTasks(ended, { after: null, skip: 0, limit: 10 })).map(({ payload }) => payload),
        ['http://a.example/nested'],
      );
    });

    test('reports at most a thousand pages that were not tried', async () => {
      await using on = await openJob(create);
      const [start] = await on.claim();
      assert.ok(start);
      for (const part of ['x', 'y']) {
        const refused = refusedPages(part, 700);
        await on.store.jobs.addFound({ ...start, found: [], refused, at: now() });
      }
      await on.end([{ page: start, end: await on.done({ refused: refusedPages('z', 5), found: [page('x1')] }) }]);
      const job = await on.find();
      assert.deepEqual([job.status, job.total], ['completed', 1]);
      assert.equal((await on.store.jobs.failedTasks(job, { after: null, skip: 0, limit: 5000 })).length, 1000);
    });

    test('leaves out pages when the queue is full, reports it once, and adds them when they are found again', async () => {
      await using on = await openJob(create, { taskLimit: 100, queuedTasks: 3 });
      const waiting = async () => (await on.store.jobs.count(on.owner.teamId)).waiting;
      const [start] = await on.claim();
      assert.ok(start);
      const known = page('start');
      await on.end([{ page: start, end: await on.done({ found: [known, ...pages('a', 5)] }) }]);
      assert.equal(await waiting(), 3);
      const [one, other] = await on.claim(2);
      assert.ok(one && other);
      await on.end([{ page: one, end: await on.done({ found: [page('a4'), page('b')] }) }]);
      assert.equal(await waiting(), 3);
      await on.end([{ page: other, end: await on.done({ found: [page('c'), page('d')] }) }]);
      const claimed = await on.claim();
      assert.deepEqual(claimed.map(({ key }) => key).sort(), ['a2', 'a4', 'b']);
      // Known pages do not count as left out.
      await on.end(
        await Promise.all(claimed.map(async (last) => ({ page: last, end: await on.done({ found: [known] }) }))),
      );
      const job = await on.find();
      assert.deepEqual([job.status, job.total, job.completed], ['completed', 6, 6]);
      assert.deepEqual(
        (await on.store.jobs.failedTasks(job, { after: null, skip: 0, limit: 10 })).map(({ code, payload }) => [
          code,
          payload,
        ]),
        [['QUEUE_FULL', 'http://a.example/a3']],
      );
    });

    test('counts a page that goes back to the queue before the pages that it found', async () => {
      await using on = await openJob(create, { first: pages('a', 3), queuedTasks: 3 });
      const [one, other] = await on.claim(2);
      assert.ok(one && other);
      await on.end([
        { page: one, end: { type: 'returned', runAt: now() } },
        { page: other, end: await on.done({ found: pages('b', 2) }) },
      ]);
      assert.deepEqual((await on.claim()).map(({ key }) => key).sort(), ['a0', 'a2', 'b0']);
    });

    test('tells the reader of a sitemap that the queue is full, and reports nothing', async () => {
      await using on = await openJob(create, { first: [page('map', 'helper')], taskLimit: 100, queuedTasks: 2 });
      const [map] = await on.claim();
      assert.ok(map);
      const add = (found: NewTask[]) => on.store.jobs.addFound({ ...map, found, refused: [], at: now() });
      assert.equal(await add(pages('a', 2)), 'some');
      assert.equal(await add([...pages('a', 2), page('nested', 'helper')]), 'queue full');
      const [first] = await on.claim(1);
      assert.ok(first);
      assert.equal(await add([...pages('a', 2), page('nested', 'helper')]), 'some');
      assert.equal(await add([page('nested', 'helper'), page('b')]), 'queue full');
      assert.deepEqual(await on.store.jobs.failedTasks(map, { after: null, skip: 0, limit: 10 }), []);
    });

    test('counts the shapes of added pages, whoever adds them, until the job is removed', async () => {
      await using on = await openJob(create, { first: [page('start'), page('other')], taskLimit: 6 });
      const shaped = (name: string, key: string, family: string | null) => ({ ...page(name), shape: { key, family } });
      const [start, other] = await on.claim();
      assert.ok(start && other);
      const found = [shaped('a', 'x', 'f'), shaped('b', 'x', 'f'), shaped('c', 'y', 'f')];
      await on.store.jobs.addFound({ ...start, found, refused: [], at: now() });
      await on.end([
        { page: start, end: await on.done({ found: [...found, page('start')] }) },
        // There is room for one of these.
        { page: other, end: await on.done({ found: [shaped('d', 'x', 'f'), shaped('e', 'z', null)] }) },
      ]);
      const counts = () => on.store.jobs.shapes(start, ['x', 'y', 'z', 'f', 'never']);
      assert.deepEqual(
        await counts(),
        new Map([
          ['x', 3],
          ['y', 1],
          ['f', 2],
        ]),
      );
      await on.store.jobs.cancel(on.owner.teamId, 'crawl', on.id);
      while (await on.store.sweep({ now: now() + 60_000, cacheBytes: 0 }));
      assert.deepEqual(await counts(), new Map());
    });

    test('adds nothing after it was cancelled, and keeps the results of running tasks', async () => {
      await using on = await openJob(create);
      const [start] = await on.claim();
      assert.ok(start);
      await on.store.jobs.cancel(on.owner.teamId, 'crawl', on.id);
      await on.end([{ page: start, end: await on.done({ found: [page('a')] }) }]);
      const job = await on.find();
      assert.deepEqual([job.status, job.completed, job.total], ['cancelled', 1, 1]);
      assert.deepEqual(await on.claim(), []);
      assert.deepEqual(await on.store.jobs.count(on.owner.teamId), { waiting: 0, running: 0 });
    });

    test('reserves the cost of its limit, and releases it as results arrive', async () => {
      await using on = await openJob(create, { taskLimit: 4, credits: 10 });
      const reserved = async () => (await on.store.usage.balance(on.owner.teamId, on.span, now())).reserved;
      assert.equal(await reserved(), 4);
      const [start] = await on.claim();
      assert.ok(start);
      await on.end([{ page: start, end: await on.done({ found: pages('a', 9) }) }]);
      assert.equal(await reserved(), 3);
      const [one, other, last] = await on.claim();
      assert.ok(one && other && last);
      await on.end([{ page: one, end: FAILED }]);
      assert.equal(await reserved(), 3, 'the freed room stays reserved');
      await on.end([{ page: other, end: await on.done() }]);
      await on.end([{ page: last, end: await on.done() }]);
      assert.deepEqual([(await on.find()).status, await reserved()], ['completed', 0]);
    });
  });
}
