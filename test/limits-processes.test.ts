import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { temporaryFolder } from './support/folder.ts';
import { addLimitedTeam, perMinute } from './support/limited-team.ts';
import { createDatabase, missingPostgres } from './support/postgres.ts';
import { startProcess, type TrawlProcess } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';

/** `TRAWL_TEST_FULL=1` runs for as long as the requirement says. */
const SECONDS = process.env.TRAWL_TEST_FULL === '1' ? 30 : 3;
/** For each of two teams. */
const CLIENTS = 100;
/** Requests per second of all clients of a team. Both teams together use half of two cores. */
const RATE = 200;
/** The share of its requests that the team over its limit is allowed. */
const ALLOWED = 0.8;

const site = await shared(startSite());
let running = 0;
let most = 0;
const page = site.page('/', (_request, response) => {
  running += 1;
  most = Math.max(most, running);
  // A slow site, so that requests overlap.
  setTimeout(() => {
    running -= 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html('<p>One at a time, or five</p>'));
  }, 50);
});

describe('two processes on one PostgreSQL', { skip: (await missingPostgres()) ?? false }, async () => {
  if (await missingPostgres()) return;
  const database = await shared(createDatabase());
  const folder = await shared(temporaryFolder());
  const options = { databaseUrl: database.url, dataDir: 'unused' };
  const start = () => startProcess({ DATABASE_URL: database.url, TRAWL_DATA_DIR: folder.path });
  const processes = [await shared(start()), await shared(start())] as const;

  test(`give 200 competing clients exactly their limit for ${SECONDS} s`, {
    timeout: SECONDS * 1000 + 60_000,
  }, async () => {
    const requests = SECONDS * RATE;
    const limit = requests * ALLOWED;
    const over = await addLimitedTeam(options, { plan: { requestsPerMinute: perMinute(limit) } });
    const under = await addLimitedTeam(options, { plan: { requestsPerMinute: perMinute(requests) } });
    const began = performance.now();
    const [ofOver, ofUnder] = await Promise.all([
      sendEvenly(processes, over.key, requests),
      sendEvenly(processes, under.key, requests),
    ]);

    // The window is longer than the test, so there is only one.
    const took = Math.round((performance.now() - began) / 1000);
    assert.ok(took < 60, `this machine is too busy: ${SECONDS} s of requests took ${took} s`);
    assert.deepEqual(ofOver, { 404: limit, 429: requests - limit }, 'over its limit');
    assert.deepEqual(ofUnder, { 404: requests }, 'just within its limit');
  });

  test('run no more at once than the plan allows, and refuse nothing while a slot is free', async () => {
    const limited = await addLimitedTeam(options, { plan: { concurrency: 5 } });
    const unlimited = await addLimitedTeam(options, {});
    const turns = SECONDS * 20;
    const work = async (workers: number, { key }: { key: string }) => {
      const statuses: Record<number, number> = {};
      most = 0;
      const worker = async (_: unknown, own: number) => {
        for (let turn = own; turn < turns; turn += workers) {
          const to = pick(processes, turn + Math.floor(turn / workers));
          const { status } = await to.post('/v2/scrape', { url: page, maxAge: 0 }, { key });
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: workers }, worker));
      return statuses;
    };

    assert.deepEqual(await work(5, limited), { 200: turns });
    const { 200: done = 0, 429: refused = 0, ...others } = await work(20, limited);
    assert.deepEqual(others, {});
    assert.ok(done > 0 && refused > 0, `${done} done, ${refused} refused`);
    assert.ok(most <= 5, `${most} at the same time`);
    // Otherwise the site would have seen it.
    assert.deepEqual(await work(20, unlimited), { 200: turns });
    assert.ok(most > 5, `${most} at the same time`);
  });

  test('report what runs in both, and free the slots of a killed process', async () => {
    const { key } = await addLimitedTeam(options, { plan: { concurrency: 2 } });
    const answers = new Promise<void>((resolve) => {
      let waiting = 0;
      site.page('/never', () => {
        waiting += 1;
        if (waiting === 2) resolve();
      });
    });
    const never = { url: site.url('/never'), maxAge: 0 };
    await using doomed = await start();
    const lost = [doomed, doomed].map((one) => one.post('/v2/scrape', never, { key }).catch(() => 'lost'));
    await answers;
    const [one] = processes;
    assert.equal((await concurrencyOf(one, key)).concurrency, 2);
    assert.equal((await one.post('/v2/scrape', { url: page }, { key })).status, 429);

    await doomed.stop('SIGKILL');
    assert.deepEqual(await Promise.all(lost), ['lost', 'lost']);
    assert.equal((await one.post('/v2/scrape', { url: page }, { key })).status, 429);
    // The time until a lease expires.
    await query(database.url, 'update work_places set expires_at = expires_at - 30000');
    assert.equal((await one.post('/v2/scrape', { url: page }, { key })).status, 200);
    assert.equal((await concurrencyOf(one, key)).concurrency, 0);
  });
});

/** Sends this many requests from all clients of a team, spread evenly. Each client alternates between the processes. */
async function sendEvenly(
  processes: readonly [TrawlProcess, TrawlProcess],
  key: string,
  requests: number,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const start = performance.now();
  const client = async (_: unknown, own: number) => {
    for (let turn = own; turn < requests; turn += CLIENTS) {
      await wait(Math.max(0, start + (turn / RATE) * 1000 - performance.now()));
      const to = pick(processes, own + Math.floor(turn / CLIENTS));
      const { status, headers } = await to.get('/v2/scrape/01890000-0000-7000-8000-000000000000', { key });
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 429) continue;
      const seconds = Number(headers.get('retry-after'));
      assert.ok(seconds >= 1 && seconds <= 60, `retry after ${seconds}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return statuses;
}

function pick<T>(two: readonly [T, T], turn: number): T {
  return two[turn % 2 === 0 ? 0 : 1];
}

async function concurrencyOf({ address }: TrawlProcess, key: string): Promise<{ concurrency: number }> {
  const answer = await fetch(`${address}/v2/concurrency-check`, { headers: { authorization: `Bearer ${key}` } });
  return JSON.parse(await answer.text());
}

async function query(databaseUrl: string, text: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}
