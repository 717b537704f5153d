import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { useClock } from '../src/clock.ts';
import { finishedBatch, startBatch } from './support/batch.ts';
import { addLimitedTeam, perMinute } from './support/limited-team.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS, type StoreLocation } from './support/stores.ts';
import { startTrawl, type Trawl } from './support/trawl.ts';

const site = await shared(startSite());
const url = site.page('/', html('<h1>Within limits</h1>'));
const NO_ID = '01890000-0000-7000-8000-000000000000';

for (const { name, skip, create } of STORE_KINDS) {
  describe(`limits of plans on ${name}`, { skip }, async () => {
    if (skip) return;
    const location = await shared(create());
    const trawl = await shared(startOn(location));
    const addTeam = (plan: object) => addLimitedTeam(location.options, { plan });

    test('every answer says how many requests are left, and one too many is a 429 that says when to retry', async () => {
      const { key, plan } = await addTeam({ requestsPerMinute: perMinute(3) });
      for (const left of [2, 1, 0]) {
        const { status, headers } = await trawl.post('/v2/scrape', { url }, { key });
        assert.equal(status, 200);
        assertRate(headers, 3, left);
        assert.equal(headers.get('retry-after'), null);
      }
      const { status, headers, body } = await trawl.post('/v2/scrape', { url }, { key });
      assert.deepEqual({ status, code: body.code }, { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
      assertRate(headers, 3, 0);
      const seconds = Number(headers.get('retry-after'));
      assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `${seconds}`);
      for (const part of [`"${plan}"`, '3 scrape requests a minute', `retry after ${seconds}s`]) {
        assert.ok(body.error.includes(part), body.error);
      }
    });

    test('of many simultaneous requests exactly as many pass as the limit allows', async () => {
      const { key } = await addTeam({ requestsPerMinute: perMinute(7) });
      const answers = await Promise.all(Array.from({ length: 40 }, () => trawl.get(`/v2/scrape/${NO_ID}`, { key })));
      assert.equal(answers.filter(({ status }) => status === 404).length, 7);
      assert.equal(answers.filter(({ status }) => status === 429).length, 33);
    });

    test('groups are counted separately, versions together, and invalid requests count too', async () => {
      const { key } = await addTeam({ requestsPerMinute: perMinute(10, { scrape: 3 }) });
      assertRate((await trawl.post('/v2/scrape', { url }, { key })).headers, 3, 2);
      assertRate((await trawl.post('/v1/scrape', { url }, { key })).headers, 3, 1);
      assertRate((await trawl.get(`/v2/scrape/${NO_ID}`, { key })).headers, 10, 9);
      const invalid = await trawl.post('/v2/scrape', '{"url": ', { key });
      assert.equal(invalid.status, 400);
      assertRate(invalid.headers, 3, 0);
      assert.equal((await trawl.post('/v1/scrape', { url }, { key })).status, 429);
      assertRate((await trawl.get(`/v2/scrape/${NO_ID}`, { key })).headers, 10, 8);
    });

    test('teams are counted separately', async () => {
      const [one, other] = [
        await addTeam({ requestsPerMinute: perMinute(1) }),
        await addTeam({ requestsPerMinute: perMinute(1) }),
      ];
      assert.equal((await trawl.post('/v2/scrape', { url }, one)).status, 200);
      assert.equal((await trawl.post('/v2/scrape', { url }, one)).status, 429);
      assert.equal((await trawl.post('/v2/scrape', { url }, other)).status, 200);
    });

    test('a plan without limits sends no limit headers', async () => {
      const { key } = await addTeam({});
      const { status, headers } = await trawl.post('/v2/scrape', { url }, { key });
      assert.equal(status, 200);
      for (const header of ['limit', 'remaining', 'reset']) assert.equal(headers.get(`x-ratelimit-${header}`), null);
    });

    test('work beyond the concurrency of the plan is a 429 at once, and is accepted again when some has ended', async () => {
      const { key, plan } = await addTeam({ concurrency: 2 });
      const slow = slowPage('/slow');
      const running = [1, 2].map(() => trawl.post('/v2/scrape', { url: slow.url, maxAge: 0 }, { key }));
      const responses = [await slow.next(), await slow.next()];
      const { status, headers, body } = await trawl.post('/v2/scrape', { url }, { key });
      assert.deepEqual({ status, code: body.code }, { status: 429, code: 'CONCURRENCY_LIMIT_EXCEEDED' });
      assert.ok(Number(headers.get('retry-after')) >= 1);
      assert.ok(body.error.includes(`"${plan}" allows 2 requests at the same time`), body.error);
      // A request that does no work takes no slot.
      assert.equal((await trawl.get(`/v2/scrape/${NO_ID}`, { key })).status, 404);
      assert.equal((await trawl.post('/v2/scrape', { url, formats: ['json'] }, { key })).status, 400);

      responses[0]?.end(html('<p>One</p>'));
      assert.equal((await Promise.race(running)).status, 200);
      assert.equal((await trawl.post('/v2/scrape', { url }, { key })).status, 200);
      responses[1]?.end(html('<p>Two</p>'));
      for (const { status } of await Promise.all(running)) assert.equal(status, 200);
    });

    test('pages of jobs count too but yield: a scrape never waits for them, and one of them always runs', async () => {
      const { key } = await addTeam({ concurrency: 2 });
      const running = async () => {
        const { body } = await trawl.get<{ concurrency: number }>('/v2/concurrency-check', { key });
        return body.concurrency;
      };
      const [slow, pages] = [slowPage('/first'), slowPage('/paged')];
      const scrapes = [1, 2].map(() => trawl.post('/v2/scrape', { url: slow.url, maxAge: 0 }, { key }));
      const answers = [await slow.next(), await slow.next()];
      const urls = [1, 2, 3, 4].map((page) => `${pages.url}?${page}`);
      const { id } = await startBatch(trawl, { urls, maxAge: 0 }, { key });
      for (const turn of [1, 2]) {
        const page = await pages.next();
        assert.equal(await running(), 3);
        page.end(html(`<p>Page ${turn}</p>`));
      }
      for (const answer of answers) answer.end(html('<p>A scrape</p>'));
      await Promise.all(scrapes);
      const last = [await pages.next(), await pages.next()];
      assert.equal(await running(), 2);
      assert.equal((await trawl.post('/v2/scrape', { url, maxAge: 0 }, { key })).status, 200);
      for (const page of last) page.end(html('<p>The last ones</p>'));
      assert.equal((await finishedBatch(trawl, id, { key })).completed, 4);
    });

    test('a failed request frees its slot', async () => {
      const { key } = await addTeam({ concurrency: 1 });
      for (let turn = 0; turn < 3; turn++) {
        assert.equal((await trawl.post('/v2/scrape', { url: 'http://127.0.0.1:1/' }, { key })).status, 502);
      }
    });

    test('a client that hangs up frees its slot', async () => {
      const { key } = await addTeam({ concurrency: 1 });
      const slow = slowPage('/abandoned');
      const abandoned = request(`${trawl.address}/v2/scrape`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        agent: false,
      });
      abandoned.on('error', () => {});
      abandoned.end(JSON.stringify({ url: slow.url, maxAge: 0 }));
      await slow.next();
      assert.equal((await trawl.post('/v2/scrape', { url }, { key })).status, 429);
      abandoned.destroy();
      // The service notices when the connection closes.
      while ((await trawl.post('/v2/scrape', { url }, { key })).status === 429);
    });

    test('the unmodified SDK gets the status, code and message', async () => {
      const { key } = await addTeam({ requestsPerMinute: perMinute(1) });
      const client = new Firecrawl({ apiUrl: trawl.address, apiKey: key });
      await client.scrape(url);
      await assert.rejects(client.scrape(url), (error: Error & { status?: number; code?: string }) => {
        assert.deepEqual([error.status, error.code], [429, 'RATE_LIMIT_EXCEEDED']);
        assert.match(error.message, /retry after \d+s/);
        return true;
      });
    });
  });
}

test('after the window all requests are allowed again, however many were refused in it', async () => {
  await using trawl = await startTrawl();
  const { key } = await addLimitedTeam({ dataDir: trawl.dataDir }, { plan: { requestsPerMinute: perMinute(2) } });
  const statuses = async () => {
    const answers: number[] = [];
    for (let turn = 0; turn < 5; turn++) answers.push((await trawl.get(`/v2/scrape/${NO_ID}`, { key })).status);
    return answers;
  };
  const start = Date.now();
  let restore = useClock(() => start);
  try {
    assert.deepEqual(await statuses(), [404, 404, 429, 429, 429]);
    restore();
    restore = useClock(() => start + 59_999);
    assert.deepEqual(await statuses(), [429, 429, 429, 429, 429]);
    restore();
    restore = useClock(() => start + 60_000);
    assert.deepEqual(await statuses(), [404, 404, 429, 429, 429]);
  } finally {
    restore();
  }
});

function startOn({ options }: StoreLocation): Promise<Trawl> {
  const database = options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl };
  return startTrawl({ TRAWL_DATA_DIR: options.dataDir, ...database });
}

function assertRate(headers: Headers, limit: number, remaining: number): void {
  assert.equal(headers.get('x-ratelimit-limit'), String(limit));
  assert.equal(headers.get('x-ratelimit-remaining'), String(remaining));
  const endsIn = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
  assert.ok(endsIn > -1 && endsIn < 62, `ends in ${endsIn} s`);
}

/** A page that the test answers. */
function slowPage(path: string) {
  const waiting: ServerResponse[] = [];
  const arrivals = new EventTarget();
  const address = site.page(path, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    waiting.push(response);
    arrivals.dispatchEvent(new Event('arrival'));
  });
  return {
    url: address,
    /** The answer to the next request. */
    async next(): Promise<ServerResponse> {
      while (true) {
        const response = waiting.shift();
        if (response !== undefined) return response;
        await once(arrivals, 'arrival');
      }
    },
  };
}
