import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { openStore } from '../src/store/open-store.ts';
import { listKeys, revokeKey } from '../src/team/keys.ts';
import { finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import { heldPage } from './support/held-page.ts';
import { addLimitedTeam, perMinute } from './support/limited-team.ts';
import { startCommand, startProcess } from './support/process.ts';
import { settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';
import {
  askForStream,
  openRawStream,
  openStream,
  type StreamAnswer,
  type StreamMessage,
  streamedSources,
} from './support/stream.ts';
import { KEY, startTrawl, type TrawlClient } from './support/trawl.ts';

const NO_ID = '01890000-0000-7000-8000-000000000000';
const site = await shared(startSite());
const pagesAt = (path: string, count: number) =>
  Array.from({ length: count }, (_, index) => site.page(`${path}/${index}`, html(`<h1>Page ${path}/${index}</h1>`)));
const types = (messages: readonly StreamMessage[]) => messages.map(({ type }) => type);

async function startedCrawl(trawl: TrawlClient): Promise<{ id: string }> {
  const url = site.page('/alone', html('<h1>Alone</h1>'));
  return (await trawl.call<{ id: string }>('POST', '/v2/crawl', { url })).body;
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`the stream of a job in ${name}`, { skip }, async () => {
    if (skip !== false) return;
    const trawl = await shared(startTrawlOn(create()));

    test('sends the existing documents, each new one as it arrives, and the end', async () => {
      const held = heldPage(site, `/live/${name}`);
      const urls = [...pagesAt('/live', 3), held.address];
      const { id, url } = await startBatch(trawl, { urls, maxAge: 0 });
      await held.reached;
      const stream = openStream(url);
      const [catchup] = await stream.until(1);
      assert.ok(catchup?.type === 'catchup' && catchup.data.status === 'scraping');
      held.release();
      assert.deepEqual(await stream.ended, { code: 1000, reason: '{}' });
      const { messages } = stream;
      assert.deepEqual(new Set(types(messages.slice(1, -1))), new Set(['document']));
      const { data, ...status } = await finishedBatch(trawl, id);
      assert.deepEqual(
        streamedSources(messages),
        data.map(({ metadata }) => metadata.sourceURL),
      );
      const last = messages.at(-1);
      assert.ok(last?.type === 'done');
      assert.deepEqual([last.data.status, last.data.completed, last.data.data], [status.status, 4, []]);
    });

    test('of one that has ended sends everything, even more than one answer holds', async () => {
      const big = html(`<p>${'Much to read. '.repeat(150_000)}</p>`);
      const urls = Array.from({ length: 8 }, (_, index) => site.page(`/big/${index}`, big));
      const { id, url } = await startBatch(trawl, { urls, formats: ['rawHtml'], maxAge: 0, storeInCache: false });
      await finishedBatch(trawl, id);
      const stream = openStream(url);
      await stream.ended;
      assert.deepEqual(types(stream.messages), ['catchup', ...Array(4).fill('document'), 'done']);
      assert.deepEqual(streamedSources(stream.messages).sort(), [...urls].sort());
      const [catchup] = stream.messages;
      assert.ok(catchup?.type === 'catchup');
      // The SDK hangs up when it receives the end.
      assert.deepEqual([catchup.data.status, catchup.data.next], ['scraping', undefined]);
    });

    test('of one that was cancelled says so after the last running pages', async () => {
      const held = heldPage(site, `/cancelled/${name}`);
      const { id, url } = await startBatch(trawl, {
        urls: [held.address, ...pagesAt('/cancelled', 5)],
        maxAge: 0,
        maxConcurrency: 1,
      });
      await held.reached;
      const stream = openStream(url);
      await stream.until(1);
      await trawl.call('DELETE', `/v2/batch/scrape/${id}`);
      held.release();
      await stream.ended;
      assert.deepEqual(types(stream.messages), ['catchup', 'document', 'catchup', 'done']);
      for (const message of stream.messages.slice(2)) {
        assert.ok('data' in message && 'status' in message.data && message.data.status === 'cancelled');
      }
    });

    test('that is not read delays nothing, and is complete when it is finally read', async () => {
      const body = html(`<p>${'Much to read. '.repeat(100_000)}</p>`);
      const held = heldPage(site, `/unread/held/${name}`);
      const urls = Array.from({ length: 20 }, (_, index) => site.page(`/unread/${index}`, body));
      const { id, url } = await startBatch(trawl, {
        urls: [held.address, ...urls],
        formats: ['rawHtml'],
        maxAge: 0,
        storeInCache: false,
      });
      const socket = await openRawStream(url);
      held.release();
      assert.equal((await finishedBatch(trawl, id)).completed, 21);
      let bytes = 0;
      let end = '';
      for await (const chunk of socket) {
        bytes += chunk.length;
        end = chunk.toString('latin1').slice(-2_000);
        if (end.includes('"type":"done"')) break;
      }
      assert.ok(bytes > 21 * 1_000_000, `${bytes} bytes`);
      assert.match(end, /"type":"done"/);
    });

    test('opens only for keys that may read the status', async () => {
      const { id, url } = await startBatch(trawl, { urls: pagesAt('/mine', 1) });
      const { key } = await addLimitedTeam(trawl.options, {});
      const strict = await addLimitedTeam(trawl.options, { endpointGroups: ['scrape'] });
      const { id: crawl } = await startedCrawl(trawl);
      const far = await addLimitedTeam(trawl.options, { allowList: ['192.0.2.0/24'] });
      const v1 = url.replace('/v2/batch/scrape/', '/v1/crawl/');
      for (const address of [url, v1]) {
        const ask = (protocols: string, at = address) => askForStream(at, { protocols });
        const refuses = async (asked: Promise<StreamAnswer>, error: RegExp) => {
          const answer = await asked;
          assert.ok(!answer.isOpen);
          assert.match(answer.error, error);
          assert.equal(answer.code, 1008);
        };
        const opens = async (asked: Promise<StreamAnswer>) => assert.deepEqual(await asked, { isOpen: true });
        await opens(ask(KEY));
        await opens(askForStream(address, { headers: { authorization: `Bearer ${KEY}` } }));
        await refuses(ask('fc-00000000000000000000000000000000'), /unknown or was revoked/);
        await refuses(askForStream(address), /No API key/);
        await refuses(ask(strict.key), /only for scrape|may .*scrape/);
        await refuses(ask(far.key), /127\.0\.0\.1/);
        await refuses(ask(key), /There is no .* with this id/);
        await refuses(ask(KEY, address.replace(id, NO_ID)), /There is no .* with this id/);
        await refuses(ask(KEY, address.replace(id, 'last')), /must be the id of a job/);
        // The older address serves both.
        const other = ask(KEY, address.replace(id, crawl));
        await (address === url ? refuses(other, /There is no batch/) : opens(other));
      }
    });

    test('counts as a status request', async () => {
      const { key } = await addLimitedTeam(trawl.options, {
        plan: { requestsPerMinute: perMinute(10, { status: 2 }) },
      });
      const { url } = await startBatch(trawl, { urls: pagesAt('/counted', 1) }, { key });
      const ask = () => askForStream(url, { protocols: key });
      assert.deepEqual([await ask(), await ask()], [{ isOpen: true }, { isOpen: true }]);
      const third = await ask();
      assert.ok(!third.isOpen && third.code === 1008);
      assert.match(third.error, /allows 2 status requests a minute/);
    });

    test('is one of at most a hundred per team, however many are requested at once', async () => {
      const openStreams = async () => {
        const text = await (await fetch(`${trawl.address}/metrics`)).text();
        return Number(/^trawl_job_streams (\d+)$/m.exec(text)?.[1]);
      };
      const held = heldPage(site, `/crowd/${name}`);
      const { url } = await startBatch(trawl, { urls: [held.address], maxAge: 0 });
      const streams = Array.from({ length: 130 }, () => openStream(url));
      const opened = await Promise.all(
        streams.map(async (stream) => {
          const [first] = await stream.until(1);
          return first?.type === 'error' ? [] : stream;
        }),
      );
      const [first, ...others] = opened.flat();
      assert.ok(first);
      assert.deepEqual([others.length, await openStreams()], [99, 100]);
      const refused = await askForStream(url, { protocols: KEY });
      assert.ok(!refused.isOpen && refused.code === 1008);
      assert.match(refused.error, /100 jobs/);

      first.socket.close();
      await first.ended;
      while ((await openStreams()) === 100);
      assert.deepEqual(await askForStream(url, { protocols: KEY }), { isOpen: true });
      held.release();
      await Promise.all(others.map((stream) => stream.ended));
      while ((await openStreams()) > 0);
    });

    test('ends when its key is revoked', async (t) => {
      const { key, teamId } = await addLimitedTeam(trawl.options, {});
      const held = heldPage(site, `/revoked/${name}`);
      const { url } = await startBatch(trawl, { urls: [held.address], maxAge: 0 }, { key });
      t.mock.timers.enable({ apis: ['setInterval'] });
      const stream = openStream(url, key);
      await stream.until(1);
      const store = await openStore(trawl.options);
      for (const { id } of await listKeys(store, teamId)) await revokeKey(store, id, teamId);
      await store.close();
      t.mock.timers.tick(30_000);
      assert.equal((await stream.ended).code, 1008);
      held.release();
    });
  });
}

describe('the watchers of the SDK', async () => {
  const trawl = await shared(startTrawl());
  const client = new Firecrawl({ apiUrl: trawl.address, apiKey: KEY });

  test('v2: every document once, and the end', { timeout: 20_000 }, async () => {
    const held = heldPage(site, '/sdk/held');
    const urls = [...pagesAt('/sdk', 5), held.address];
    const { id } = await client.startBatchScrape(urls, { options: { formats: ['markdown'], maxAge: 0 } });
    await held.reached;
    // A noticeably long interval: the client must not fall back to polling the status.
    const watcher = client.watcher(id, { kind: 'batch', pollInterval: 60 });
    const documents: string[] = [];
    const statuses: string[] = [];
    watcher.on('document', ({ metadata }) => documents.push(metadata.sourceURL));
    watcher.on('snapshot', ({ status }) => {
      statuses.push(status);
      held.release();
    });
    const done = once(watcher, 'done');
    await watcher.start();
    const [{ status, completed, total }] = await done;
    assert.deepEqual([status, completed, total], ['completed', 6, 6]);
    assert.deepEqual(documents.sort(), urls.sort());
    assert.equal(statuses[0], 'scraping');
  });

  test('v2: a batch that was cancelled', { timeout: 20_000 }, async () => {
    const held = heldPage(site, '/sdk/cancelled');
    const { id } = await client.startBatchScrape([held.address, ...pagesAt('/sdk/later', 3)], {
      options: { maxAge: 0 },
      maxConcurrency: 1,
    });
    await held.reached;
    const watcher = client.watcher(id, { kind: 'batch', pollInterval: 60 });
    const done = once(watcher, 'done');
    watcher.once('snapshot', async () => {
      await client.cancelBatchScrape(id);
      held.release();
    });
    await watcher.start();
    assert.equal((await done)[0].status, 'cancelled');
  });

  test('v2 and v1: a crawl', { timeout: 20_000 }, async () => {
    const leaf = site.page('/sdk/crawl/leaf', html('<h1>Leaf</h1>'));
    const start = site.page('/sdk/crawl/', html('<h1>Start</h1><a href="leaf">Leaf</a>'));
    const { id } = await client.startCrawl(start, { scrapeOptions: { maxAge: 0 } });
    const watcher = client.watcher(id, { pollInterval: 60 });
    const documents: string[] = [];
    watcher.on('document', ({ metadata }) => documents.push(metadata.sourceURL));
    const done = once(watcher, 'done');
    await watcher.start();
    assert.equal((await done)[0].status, 'completed');
    assert.deepEqual(documents.sort(), [start, leaf].sort());

    const old = await client.v1.crawlUrlAndWatch(start, { scrapeOptions: { formats: ['markdown'] } });
    const status = new Promise((resolve, reject) => {
      old.addEventListener('done', ({ detail }) => resolve(detail.status));
      old.addEventListener('error', ({ detail }) => reject(new Error(detail.error)));
    });
    assert.equal(await status, 'completed');
  });

  test('v1: every document, and the end', { timeout: 20_000 }, async (t) => {
    const complaints = t.mock.method(console, 'error', () => {});
    const held = heldPage(site, '/sdk/v1/held');
    const urls = [...pagesAt('/sdk/v1', 5), held.address];
    const watcher = await client.v1.batchScrapeUrlsAndWatch(urls, { formats: ['markdown'], maxAge: 0 });
    const documents: string[] = [];
    watcher.addEventListener('document', ({ detail }) => {
      documents.push(detail.metadata?.sourceURL ?? '');
    });
    const done = new Promise<string>((resolve, reject) => {
      watcher.addEventListener('done', ({ detail }) => resolve(detail.status));
      watcher.addEventListener('error', ({ detail }) => reject(new Error(detail.error)));
    });
    await held.reached;
    held.release();
    assert.equal(await done, 'completed');
    assert.deepEqual(documents.sort(), urls.sort());
    assert.equal(complaints.mock.callCount(), 0);
  });
});

describe('open streams', async () => {
  const trawl = await shared(startTrawl());

  test('are closed after four unanswered pings in a row, while those that answer stay open', async (t) => {
    const held = heldPage(site, '/pinged');
    const { url } = await startBatch(trawl, { urls: [held.address], maxAge: 0 });
    await held.reached;
    t.mock.timers.enable({ apis: ['setInterval'] });
    const [silent, answering] = [await openRawStream(url), await openRawStream(url)];
    for (const socket of [silent, answering]) await frame(socket, 'catchup');
    for (let turn = 0; turn < 4; turn++) {
      t.mock.timers.tick(30_000);
      await Promise.all([frame(silent, PING), frame(answering, PING)]);
      // The answer to our ping proves that the earlier pong has arrived.
      answering.write(Buffer.concat([masked(0x8a), masked(0x89)]));
      await frame(answering, PONG);
    }
    const ended = once(silent, 'close');
    t.mock.timers.tick(30_000);
    silent.resume();
    await ended;
    await frame(answering, PING);
    held.release();
    await frame(answering, '"type":"done"');
    answering.destroy();
  });
});

const PING = '\x89\0';
const PONG = '\x8a\0';

/** An empty control frame from a client. */
const masked = (opcode: number) => Buffer.from([opcode, 0x80, 1, 2, 3, 4]);

/** Reads until this has arrived. */
async function frame(socket: Socket, text: string): Promise<void> {
  let seen = '';
  while (!seen.includes(text)) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) await once(socket, 'readable');
    else seen += chunk.toString('latin1');
  }
}

test('a stopping service closes its streams at once, so that clients poll the status instead', async () => {
  const held = heldPage(site, '/stopping');
  const trawl = await startTrawl();
  const { url } = await startBatch(trawl, { urls: [held.address], maxAge: 0 });
  const stream = openStream(url);
  await stream.until(1);
  const closing = trawl[Symbol.asyncDispose]();
  assert.deepEqual(await stream.ended, { code: 1001, reason: '{}' });
  held.release();
  await closing;
});

test('a client that offers an upgrade to HTTP/2 is answered over HTTP/1.1', async () => {
  await using trawl = await startTrawl();
  const url = site.page('/offered', html('<h1>Offered</h1>'));
  const asked = request(`${trawl.address}/v2/scrape`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA',
    },
  });
  asked.end(JSON.stringify({ url }));
  const [response] = await once(asked, 'response');
  const { success } = JSON.parse(await text(response));
  assert.deepEqual([response.statusCode, success], [200, true]);
});

const postgres = STORE_KINDS[1];
test('a stream also reports the work of other processes', {
  skip: postgres?.skip ?? true,
  timeout: 60_000,
}, async () => {
  assert.ok(postgres);
  await using location = await postgres.create();
  const settings = settingsOf(location.options);
  await using api = await startProcess(settings, 'api');
  await using _worker = await startCommand(['worker'], settings, /Trawl works on jobs/);
  const urls = pagesAt('/elsewhere', 10);
  const { url } = await startBatch(api, { urls, maxAge: 0 });
  const stream = openStream(url);
  await stream.ended;
  assert.deepEqual(streamedSources(stream.messages).sort(), urls.sort());
});
