import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { useClock } from '../src/clock.ts';
import { allDocuments, batchErrors, finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import * as hostile from './support/hostile.ts';
import { addLimitedTeam } from './support/limited-team.ts';
import { rowsIn } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, type Site, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';

const NO_ID = '01890000-0000-7000-8000-000000000000';
const site = await shared(startSite());
const pageAt = (path: string, on: Site = site) => on.page(path, html(`<h1>Page ${path}</h1><p>Words of ${path}.</p>`));
const pagesAt = (path: string, count: number) =>
  Array.from({ length: count }, (_, index) => pageAt(`${path}/${index}`));

/** A page that does not answer until it is released. */
function heldPage(path: string) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const url = site.page(path, async (_request, response) => {
    reached.resolve();
    await released.promise;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>At last</h1>'));
  });
  return { url, reached: reached.promise, release: () => released.resolve() };
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`a batch in ${name}`, { skip }, async () => {
    if (skip !== false) return;
    const trawl = await shared(startTrawlOn(create()));
    const addTeam = (plan: object) => addLimitedTeam(trawl.options, { plan });

    test('starts at once and eventually returns every page', async () => {
      const urls = pagesAt('/pages', 20);
      const { id, url, invalidURLs } = await startBatch(trawl, { urls, maxAge: 0 });
      assert.equal(url, `${trawl.address}/v2/batch/scrape/${id}`);
      assert.deepEqual(invalidURLs, []);
      const { data, ...done } = await finishedBatch(trawl, id);
      assert.deepEqual([done.status, done.total, done.completed, done.creditsUsed], ['completed', 20, 20, 20]);
      const kept = Date.parse(done.expiresAt) - Date.parse(done.completedAt ?? '');
      assert.equal(kept, 24 * 3_600_000);
      assert.deepEqual(data.map(({ metadata }) => metadata.sourceURL).sort(), urls.sort());
      for (const { markdown, metadata } of data)
        assert.ok(markdown?.includes(`Words of ${new URL(metadata.url).pathname}.`));
      assert.equal(new Set(data.map(({ metadata }) => metadata.scrapeId)).size, 20);
      assert.deepEqual(await batchErrors(trawl, id), { errors: [], robotsBlocked: [] });
    });

    test('scrapes an address as many times as it is listed', async () => {
      const url = pageAt('/twice');
      const { id } = await startBatch(trawl, { urls: [url, url] });
      const { total, data } = await finishedBatch(trawl, id);
      assert.deepEqual([total, data.length], [2, 2]);
    });

    test('applies the scrape options to every page', async () => {
      const urls = pagesAt('/options', 2);
      const { id } = await startBatch(trawl, {
        urls,
        formats: ['links', { type: 'rawHtml' }],
        headers: { 'x-visitor': 'numbat' },
      });
      for (const document of (await finishedBatch(trawl, id)).data) {
        assert.deepEqual(Object.keys(document).sort(), ['links', 'metadata', 'rawHtml']);
      }
      const seen = site.requests.filter(({ path }) => path.startsWith('/options/'));
      assert.ok(seen.length >= 2 && seen.every(({ headers }) => headers['x-visitor'] === 'numbat'));
    });

    test('returns a page that answers 404 as a result, and reports one that cannot be fetched', async () => {
      const [here] = pagesAt('/mixed', 1);
      const lost = site.page('/mixed/lost', { status: 404, body: html('<h1>Lost</h1>') });
      const gone = site.page('/mixed/gone', hostile.notHttp);
      const { id } = await startBatch(trawl, { urls: [here, lost, gone] });
      const done = await finishedBatch(trawl, id);
      assert.deepEqual([done.status, done.total, done.completed, done.creditsUsed], ['completed', 3, 3, 2]);
      assert.deepEqual(done.data.map(({ metadata }) => metadata.statusCode).sort(), [200, 404]);
      const { errors, robotsBlocked } = await batchErrors(trawl, id);
      assert.deepEqual(robotsBlocked, []);
      assert.equal(errors.length, 1);
      const [error] = errors;
      assert.deepEqual(Object.keys(error ?? {}).sort(), ['code', 'error', 'id', 'timestamp', 'url']);
      for (const value of Object.values(error ?? {})) assert.equal(typeof value, 'string');
      assert.equal(error?.url, gone);
      assert.equal(error?.code, 'SCRAPE_BAD_RESPONSE');
      assert.match(error?.id ?? '', /^[0-9a-f-]{36}$/);
      assert.ok(Math.abs(Date.parse(error?.timestamp ?? '') - Date.now()) < 60_000);
    });

    test('retries temporary failures', async () => {
      let visits = 0;
      const url = site.page('/passing', (request, response) => {
        visits += 1;
        if (visits < 2) hostile.hangUp(request, response);
        else response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>Back</h1>'));
      });
      const { id } = await startBatch(trawl, { urls: [url], maxAge: 0 });
      const done = await finishedBatch(trawl, id);
      assert.match(done.data[0]?.markdown ?? '', /Back/);
      assert.equal(done.creditsUsed, 1);
    });

    test('waits as long as a host asks for with Retry-After, then fetches its pages', async () => {
      await using slow = await startSite();
      const times: number[] = [];
      const url = slow.page('/busy', (_request, response) => {
        times.push(performance.now());
        if (times.length === 1) response.writeHead(429, { 'retry-after': '1' }).end();
        else response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>Free</h1>'));
      });
      const { id } = await startBatch(trawl, { urls: [url], maxAge: 0 });
      const done = await finishedBatch(trawl, id);
      assert.match(done.data[0]?.markdown ?? '', /Free/);
      const [first = 0, second = 0] = times;
      assert.ok(second - first >= 1000, `${second - first} ms`);
    });

    test('returns no page that redirects to an address robots.txt disallows, on any host, unless told to ignore it', async () => {
      await using strict = await startSite();
      strict.page('/robots.txt', {
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nDisallow: /private',
      });
      const hidden = pageAt('/private/diary', strict);
      const open = pageAt('/open', strict);
      await using other = await startSite();
      const to = (from: Site, path: string, location: string) =>
        from.page(path, { status: 302, headers: { location } });
      const urls = [to(strict, '/a', hidden), to(other, '/b', hidden), to(other, '/c', open)];
      const { id } = await startBatch(trawl, { urls, maxAge: 0 });
      const done = await finishedBatch(trawl, id);
      assert.deepEqual(
        done.data.map(({ metadata }) => metadata.url),
        [open],
      );
      const { errors, robotsBlocked } = await batchErrors(trawl, id);
      assert.deepEqual([errors, robotsBlocked.sort()], [[], urls.slice(0, 2).sort()]);
      const { id: free } = await startBatch(trawl, { urls, maxAge: 0, ignoreRobotsTxt: true });
      assert.equal((await finishedBatch(trawl, free)).completed, 3);
    });

    test('obeys robots.txt and its Crawl-delay, unless told otherwise', async () => {
      await using strict = await startSite();
      strict.page('/robots.txt', {
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nDisallow: /private\nCrawl-delay: 0.2',
      });
      const times: number[] = [];
      const timed = (path: string) =>
        strict.page(path, (_request, response) => {
          times.push(performance.now());
          response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>Open</h1>'));
        });
      const open = ['/a', '/b', '/c'].map(timed);
      const hidden = pageAt('/private/diary', strict);
      const { id } = await startBatch(trawl, { urls: [...open, hidden], maxAge: 0 });
      const done = await finishedBatch(trawl, id);
      assert.deepEqual([done.status, done.total, done.completed, done.creditsUsed], ['completed', 4, 4, 3]);
      assert.deepEqual(await batchErrors(trawl, id), { errors: [], robotsBlocked: [hidden] });
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      assert.ok(
        gaps.every((gap) => gap > 150),
        gaps.join(),
      );

      const all = await startBatch(trawl, { urls: [hidden], maxAge: 0, ignoreRobotsTxt: true });
      assert.equal((await finishedBatch(trawl, all.id)).completed, 1);
    });

    test('reports invalid addresses, and scrapes either the others or nothing', async () => {
      const [url] = pagesAt('/valid', 1);
      const urls = ['file:///etc/passwd', url, 'not an address'];
      const { id, invalidURLs } = await startBatch(trawl, { urls });
      assert.deepEqual(invalidURLs, ['file:///etc/passwd', 'not an address']);
      assert.equal((await finishedBatch(trawl, id)).total, 1);

      const strict = await trawl.post('/v2/batch/scrape', { urls, ignoreInvalidURLs: false });
      assert.deepEqual([strict.status, strict.body.code], [400, 'BAD_REQUEST']);
      assert.match(strict.body.error, /urls\.0.*file:.*others.*ignoreInvalidURLs/s);
      assert.deepEqual(
        strict.body.details?.map(({ path }) => path.join('.')),
        ['urls.0', 'urls.2'],
      );
      const none = await trawl.post('/v2/batch/scrape', { urls: ['nothing'] });
      assert.equal(none.status, 400);
    });

    for (const [what, body, says] of [
      ['no list', {}, /urls: is missing/],
      ['an empty list', { urls: [] }, /urls: is empty/],
      ['an address instead of a list', { urls: 'https://example.com' }, /must be a list/],
      ['too many', { urls: Array(50_001).fill('x.org') }, /at most 50000/],
      ['an unknown field', { urls: ['x.org'], colour: 'blue' }, /colour/],
      ['a concurrency of 0', { urls: ['x.org'], maxConcurrency: 0 }, /maxConcurrency/],
      ['an id that is none', { urls: ['x.org'], appendToId: 'last' }, /appendToId/],
      ['a format that is not made', { urls: ['x.org'], formats: ['summary'] }, /"summary"/],
    ] as const) {
      test(`refuses ${what}, and says what to change`, async () => {
        const { status, body: answer } = await trawl.post('/v2/batch/scrape', body);
        assert.equal(status, 400);
        assert.match(answer.error, says);
      });
    }

    test('runs once per idempotency key, and refuses the key for a different request', async () => {
      const headers = { 'x-idempotency-key': randomUUID() };
      const body = { urls: pagesAt('/once', 3) };
      const answers = await Promise.all(Array.from({ length: 5 }, () => startBatch(trawl, body, { headers })));
      assert.equal(new Set(answers.map(({ id }) => id)).size, 1);
      const id = answers[0]?.id ?? '';
      assert.equal((await finishedBatch(trawl, id)).total, 3);
      const other = await trawl.post('/v2/batch/scrape', { urls: pagesAt('/other', 1) }, { headers });
      assert.deepEqual([other.status, other.body.code], [409, 'CONFLICT']);
      const { key } = await addTeam({});
      const theirs = await startBatch(trawl, body, { headers, key });
      assert.notEqual(theirs.id, id);
    });

    test('accepts more addresses while it runs, once per idempotency key', async () => {
      const held = heldPage('/append/held');
      const { id } = await startBatch(trawl, { urls: [held.url], maxAge: 0 });
      await held.reached;
      const headers = { 'x-idempotency-key': randomUUID() };
      const more = { urls: pagesAt('/append', 4), appendToId: id };
      for (let time = 0; time < 2; time++) assert.equal((await startBatch(trawl, more, { headers })).id, id);
      held.release();
      const done = await finishedBatch(trawl, id);
      assert.deepEqual([done.total, done.completed], [5, 5]);
      const late = await trawl.post('/v2/batch/scrape', { urls: more.urls, appendToId: id });
      assert.deepEqual([late.status, late.body.code], [409, 'CONFLICT']);
      const nowhere = await trawl.post('/v2/batch/scrape', { urls: more.urls, appendToId: NO_ID });
      assert.equal(nowhere.status, 404);
    });

    test('that is cancelled starts no more pages, keeps its results, and lets running pages finish', async () => {
      const held = heldPage('/cancel/held');
      const [first = ''] = pagesAt('/cancel', 1);
      const urls = [first, held.url, ...pagesAt('/cancel/later', 50)];
      const { id } = await startBatch(trawl, { urls, maxAge: 0, maxConcurrency: 1 });
      await held.reached;
      const { status, body } = await trawl.call('DELETE', `/v2/batch/scrape/${id}`);
      assert.deepEqual([status, body], [200, { success: true, status: 'cancelled' }]);
      held.release();
      for (;;) {
        const { body: told } = await trawl.get<{ status: string; completed: number }>(`/v2/batch/scrape/${id}`);
        assert.equal(told.status, 'cancelled');
        if (told.completed === 2) break;
      }
      assert.ok(!site.requests.some(({ path }) => path.startsWith('/cancel/later')));
      assert.equal((await trawl.call('DELETE', `/v2/batch/scrape/${id}`)).status, 200);
    });

    test('respects its own concurrency limit and that of its plan', async () => {
      const { key } = await addTeam({ concurrency: 3 });
      const running = countRunning('/few');
      const batches = await Promise.all([
        startBatch(trawl, { urls: running.urls(20), maxAge: 0 }, { key }),
        startBatch(trawl, { urls: running.urls(20), maxAge: 0 }, { key }),
      ]);
      for (const { id } of batches) assert.equal((await finishedBatch(trawl, id, { key })).completed, 20);
      // Fewer until the worker has read the plan.
      assert.ok(running.most() <= 3, `${running.most()} at the same time`);
      const alone = countRunning('/alone');
      const { id } = await startBatch(trawl, { urls: alone.urls(10), maxAge: 0, maxConcurrency: 2 });
      await finishedBatch(trawl, id);
      assert.equal(alone.most(), 2);
    });

    test('returns its documents in pages of at most 10 MB and at most the requested count', async () => {
      const big = html(`<p>${'Much to read. '.repeat(150_000)}</p>`);
      const urls = Array.from({ length: 8 }, (_, index) => site.page(`/big/${index}`, big));
      const { id } = await startBatch(trawl, { urls, formats: ['rawHtml'], maxAge: 0, storeInCache: false });
      await finishedBatch(trawl, id);
      const { body } = await trawl.get<{ data: unknown[]; next: string }>(`/v2/batch/scrape/${id}`);
      assert.equal(body.data.length, 4, 'four of 2.1 MB fit into 10 MB');
      assert.equal(body.next, `${trawl.address}/v2/batch/scrape/${id}?skip=4`);
      assert.equal((await allDocuments(trawl, id)).length, 8);
      const some = await trawl.get<{ data: unknown[]; next?: string }>(`/v2/batch/scrape/${id}?skip=3&limit=2`);
      assert.equal(some.body.data.length, 2);
      assert.equal(some.body.next, `${trawl.address}/v2/batch/scrape/${id}?skip=5&limit=2`);
      const end = await trawl.get<{ data: unknown[]; next?: string }>(`/v2/batch/scrape/${id}?skip=8`);
      assert.deepEqual([end.body.data, end.body.next], [[], undefined]);
      for (const query of ['skip=-1', 'limit=0', 'limit=x']) {
        assert.equal((await trawl.get(`/v2/batch/scrape/${id}?${query}`)).status, 400);
      }
    });

    test('is invisible to other teams', async () => {
      const { id } = await startBatch(trawl, { urls: pagesAt('/mine', 1) });
      await finishedBatch(trawl, id);
      const { key } = await addTeam({});
      for (const [method, path] of [
        ['GET', `/v2/batch/scrape/${id}`],
        ['GET', `/v2/batch/scrape/${id}/errors`],
        ['DELETE', `/v2/batch/scrape/${id}`],
        ['GET', `/v1/batch/scrape/${id}`],
        ['GET', `/v1/crawl/${id}`],
        ['DELETE', `/v1/batch/scrape/${id}/errors`],
      ] as const) {
        assert.equal((await trawl.call(method, path, undefined, { key })).status, 404, `${method} ${path}`);
        assert.equal((await trawl.call(method, path.replace(id, NO_ID))).status, 404);
        assert.equal((await trawl.call(method, path.replace(id, 'last'))).status, 400);
      }
      const theirs = await trawl.post('/v2/batch/scrape', { urls: pagesAt('/mine', 1), appendToId: id }, { key });
      assert.equal(theirs.status, 404);
    });

    test('reserves its cost before it starts and refunds what its pages did not use', async () => {
      const { key } = await addTeam({ monthlyCredits: 10 });
      const left = async () => {
        const { body } = await trawl.get<{ data: { remainingCredits: number } }>('/v2/team/credit-usage', { key });
        return body.data.remainingCredits;
      };
      const tooMany = await trawl.post('/v2/batch/scrape', { urls: pagesAt('/paid', 11) }, { key });
      assert.deepEqual([tooMany.status, tooMany.body.code], [402, 'PAYMENT_REQUIRED']);
      const held = heldPage(`/paid/held/${name}`);
      const gone = site.page('/paid/gone', hostile.notHttp);
      const { id } = await startBatch(trawl, { urls: [...pagesAt('/paid', 3), gone, held.url], maxAge: 0 }, { key });
      await held.reached;
      assert.equal((await trawl.post('/v2/batch/scrape', { urls: pagesAt('/paid', 7) }, { key })).status, 402);
      assert.equal(
        (await trawl.post('/v2/batch/scrape', { urls: pagesAt('/paid', 9), appendToId: id }, { key })).status,
        402,
      );
      held.release();
      assert.equal((await finishedBatch(trawl, id, { key })).creditsUsed, 4);
      assert.equal(await left(), 6);
    });

    test('waits in a queue whose length the plan limits', async () => {
      const { key, plan } = await addTeam({ queuedJobs: 5 });
      const refused = await trawl.post('/v2/batch/scrape', { urls: pagesAt('/queue', 6) }, { key });
      assert.deepEqual([refused.status, refused.body.code], [429, 'QUEUE_FULL']);
      assert.match(refused.body.error, new RegExp(`"${plan}" allows 5 waiting pages`));
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      assert.equal(
        (await finishedBatch(trawl, (await startBatch(trawl, { urls: pagesAt('/queue', 5) }, { key })).id, { key }))
          .completed,
        5,
      );
    });

    test('appears in the queue status, the activity log and the ledger', async () => {
      const { key, teamId } = await addTeam({ concurrency: 1 });
      const held = heldPage(`/told/held/${name}`);
      const { id } = await startBatch(trawl, { urls: [held.url, ...pagesAt('/told', 3)], maxAge: 0 }, { key });
      await held.reached;
      const { body: queue } = await trawl.get<Record<string, unknown>>('/v2/team/queue-status', { key });
      assert.deepEqual([queue.jobsInQueue, queue.activeJobsInQueue, queue.waitingJobsInQueue], [4, 1, 3]);
      const { body: check } = await trawl.get<Record<string, unknown>>('/v2/concurrency-check', { key });
      assert.equal(check.concurrency, 1);
      held.release();
      await finishedBatch(trawl, id, { key });
      const { body: log } = await trawl.get<{ data: object[] }>('/v2/team/activity?endpoint=batch_scrape', { key });
      assert.equal(log.data.length, 1);
      assert.ok(JSON.stringify(log.data).includes(id));
      const [charged] = await rowsIn(
        trawl.options,
        `select cast(count(*) as text) as pages, cast(sum(credits) as text) as credits from charges
         where team_id = '${teamId}' and job_id = '${id}' and capability = 'batch'`,
      );
      assert.deepEqual([charged?.pages, charged?.credits], ['4', '4']);
    });

    test('with zero data retention keeps only its results, for one hour', async () => {
      const url = site.page('/discreet/quokka', html('<h1>Rottnest</h1>'));
      const { id } = await startBatch(trawl, {
        urls: [url],
        zeroDataRetention: true,
        headers: { 'x-visitor': 'wombat' },
      });
      const done = await finishedBatch(trawl, id);
      assert.equal(done.creditsUsed, 2);
      assert.equal(Date.parse(done.expiresAt) - Date.parse(done.completedAt ?? ''), 3_600_000);
      const { body: copy } = await trawl.post('/v2/scrape', { url, lockdown: true });
      assert.equal(copy.code, 'SCRAPE_LOCKDOWN_CACHE_MISS');
      const rows = await rowsIn(
        trawl.options,
        `select target as kept from activity where id = '${id}' union all select options as kept from jobs where id = '${id}'`,
      );
      assert.deepEqual(
        rows.map(({ kept }) => kept),
        [null, null],
      );
    });

    test('is deleted when it expires', async () => {
      const { id } = await startBatch(trawl, { urls: pagesAt('/old', 2) });
      const done = await finishedBatch(trawl, id);
      const restore = useClock(() => Date.parse(done.expiresAt) + 1);
      try {
        assert.equal((await trawl.get(`/v2/batch/scrape/${id}`)).status, 404);
      } finally {
        restore();
      }
    });
  });
}

/** Pages that count how many of them are requested at the same time. */
function countRunning(path: string) {
  let running = 0;
  let most = 0;
  return {
    most: () => most,
    urls: (count: number) =>
      Array.from({ length: count }, (_, index) =>
        site.page(`${path}/${index}`, (_request, response) => {
          running += 1;
          most = Math.max(most, running);
          setTimeout(() => {
            running -= 1;
            response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>Counted</h1>'));
          }, 5);
        }),
      ),
  };
}
