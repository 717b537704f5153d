import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { now, useClock } from '../src/clock.ts';
import { openStore } from '../src/store/open-store.ts';
import { FIRST_TEAM_ID } from '../src/team/keys.ts';
import { MAX_DOCUMENT_BYTES } from '../src/webhook/event-body.ts';
import { finishedBatch, startBatch, startTrawlOn } from './support/batch.ts';
import { heldPage } from './support/held-page.ts';
import * as hostile from './support/hostile.ts';
import { addLimitedTeam } from './support/limited-team.ts';
import { assertSigned, startReceiver, told } from './support/receiver.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS, type StoreLocation } from './support/stores.ts';
import { startTrawl, type TrawlClient } from './support/trawl.ts';

interface WebhookReport {
  url: string;
  pending: number;
  delivered: number;
  failed: number;
  lastError: string | null;
  nextAttemptAt: string | null;
  events: {
    id: string;
    type: string;
    url: string | null;
    status: string;
    attempts: number;
    statusCode: number | null;
    error: string | null;
  }[];
}

const MINUTE = 60_000;
const site = await shared(startSite());
const receiver = await shared(startReceiver());
const pagesAt = (path: string, count: number) =>
  Array.from({ length: count }, (_, index) => site.page(`${path}/${index}`, html(`<h1>Page ${path}/${index}</h1>`)));

async function report(trawl: TrawlClient, id: string, query = ''): Promise<WebhookReport> {
  const { status, body } = await trawl.get<WebhookReport>(`/v2/batch/scrape/${id}/webhook${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Polls until all events have ended. */
async function finishedReport(trawl: TrawlClient, id: string): Promise<WebhookReport> {
  for (;;) {
    const found = await report(trawl, id);
    if (found.pending === 0) return found;
  }
}

async function secretOf({ options }: Pick<StoreLocation, 'options'>): Promise<string> {
  const store = await openStore(options);
  try {
    return (await store.webhooks.secret(FIRST_TEAM_ID)) ?? '';
  } finally {
    await store.close();
  }
}

/** A running clock that can be advanced. */
function movableClock() {
  let ahead = 0;
  const restore = useClock(() => Date.now() + ahead);
  return {
    move(ms: number) {
      ahead += ms;
    },
    [Symbol.dispose]: restore,
  };
}

for (const { name, skip, create } of STORE_KINDS) {
  describe(`webhooks in ${name}`, { skip }, async () => {
    if (skip !== false) return;
    const trawl = await shared(startTrawlOn(create()));
    const pathOf = (path: string) => `/${name}${path}`;

    test('report the start, each page and the end, in order and signed', async () => {
      const path = pathOf('/all');
      const urls = pagesAt('/all', 12);
      const { id } = await startBatch(trawl, {
        urls,
        maxAge: 0,
        webhook: { url: receiver.url(path), headers: { Authorization: 'Bearer mine' }, metadata: { order: '7' } },
      });
      const received = await receiver.until(14, path);
      const { data } = await finishedBatch(trawl, id);
      assert.deepEqual(told(received), [
        'started',
        ...data.map(({ metadata }) => `page ${metadata.sourceURL}`),
        'completed',
      ]);
      const secret = await secretOf(trawl);
      for (const one of received) {
        assertSigned(one, secret);
        assert.deepEqual([one.event.success, one.event.id, one.event.metadata], [true, id, { order: '7' }]);
        assert.equal(one.headers.authorization, 'Bearer mine');
        assert.match(one.headers['user-agent'] ?? '', /^Trawl\//);
        assert.match(one.headers['content-type'] ?? '', /^application\/json/);
      }
      assert.equal(new Set(received.map(({ event }) => event.webhookId)).size, 14);
      assert.deepEqual(
        received.slice(1, -1).map(({ event }) => event.data[0]),
        data,
      );
      const done = await finishedReport(trawl, id);
      assert.deepEqual(
        [done.url, done.delivered, done.failed, done.lastError, done.nextAttemptAt],
        [null, 14, 0, null, null],
      );
      assert.deepEqual(
        done.events.map((event) => event.id),
        received.map(({ event }) => event.webhookId),
      );
      const some = await report(trawl, id, '?skip=1&limit=2');
      assert.deepEqual(some.events, done.events.slice(1, 3));
    });

    test('report every page that a crawl finds, but no sitemap', async () => {
      const path = pathOf('/crawl');
      const start = site.page('/crawl/', html('<h1>Start</h1><a href="a">A</a> <a href="gone">Gone</a>'));
      const other = site.page('/crawl/a', html('<h1>A</h1><a href="./">Start</a>'));
      const gone = site.page('/crawl/gone', hostile.notHttp);
      const headers = { Authorization: 'Bearer numbat' };
      const body = { url: start, scrapeOptions: { maxAge: 0 }, webhook: { url: receiver.url(path), headers } };
      const { body: started } = await trawl.call<{ id: string }>('POST', '/v2/crawl', body);
      const { body: active } = await trawl.get('/v2/crawl/active');
      assert.ok(!JSON.stringify(active).includes('numbat'));
      const received = await receiver.until((all) => all.at(-1)?.event.type === 'crawl.completed', path);
      assert.ok(received.every(({ event }) => event.type.startsWith('crawl.') && event.id === started.id));
      const [first, ...rest] = told(received);
      assert.deepEqual([first, rest.pop()], ['started', 'completed']);
      assert.deepEqual(rest.sort(), [start, other, gone].map((url) => `page ${url}`).sort());
      const { body: webhook } = await trawl.get<WebhookReport>(`/v2/crawl/${started.id}/webhook`);
      assert.equal(webhook.events.length, received.length);
      assert.equal((await trawl.get(`/v2/batch/scrape/${started.id}/webhook`)).status, 404);
    });

    test('receive the events they list, or all events when they list none', async () => {
      const few = pathOf('/few');
      const urls = pagesAt('/few', 2);
      const { id } = await startBatch(trawl, { urls, webhook: { url: receiver.url(few), events: ['completed'] } });
      assert.deepEqual(told(await receiver.until(1, few)), ['completed']);
      assert.equal((await finishedReport(trawl, id)).delivered, 1);

      const alone = pathOf('/alone');
      const old = await trawl.call<{ id: string }>('POST', '/v1/batch/scrape', { urls, webhook: receiver.url(alone) });
      assert.equal(old.status, 200);
      assert.equal((await receiver.until(4, alone)).length, 4);
      assert.equal((await trawl.get(`/v1/batch/scrape/${old.body.id}/webhook`)).status, 200);
    });

    test('report pages that failed or are disallowed, with the reason', async () => {
      const path = pathOf('/failing');
      await using strict = await startSite();
      strict.page('/robots.txt', { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' });
      const gone = site.page('/failing/gone', hostile.notHttp);
      const hidden = strict.page('/diary', html('<h1>Dear diary</h1>'));
      await startBatch(trawl, { urls: [gone, hidden], webhook: { url: receiver.url(path), events: ['page'] } });
      const received = await receiver.until(2, path);
      const errors = Object.fromEntries(
        received.map(({ event }) => [event.data[0]?.metadata.sourceURL, [event.success, event.error]]),
      );
      assert.equal(errors[gone]?.[0], false);
      assert.match(String(errors[gone]?.[1]), /cannot be read: it is not HTTP/);
      assert.deepEqual(errors[hidden], [false, 'The robots.txt of the site forbids this page.']);
    });

    test('omit a document that is too large, and say so', async () => {
      const path = pathOf('/large');
      const url = site.page('/large', html(`<p>${'x'.repeat(MAX_DOCUMENT_BYTES)}</p>`));
      await startBatch(trawl, {
        urls: [url],
        formats: ['rawHtml'],
        webhook: { url: receiver.url(path), events: ['page'] },
      });
      const [received] = await receiver.until(1, path);
      assert.match(
        received?.event.data[0]?.warning ?? '',
        /left out because its \d+ bytes exceed the limit of 4194304/,
      );
      assert.deepEqual([received?.event.success, received?.event.data[0]?.metadata], [true, { sourceURL: url }]);
    });

    test('report the cancellation of a job last, after the pages that were running', async () => {
      const path = pathOf('/cancelled');
      const held = heldPage(site, `/cancelled/${name}`);
      const { id } = await startBatch(trawl, {
        urls: [held.address, ...pagesAt('/cancelled/later', 20)],
        maxAge: 0,
        maxConcurrency: 1,
        webhook: receiver.url(path),
      });
      await held.reached;
      await trawl.call('DELETE', `/v2/batch/scrape/${id}`);
      held.release();
      const received = await receiver.until(3, path);
      assert.deepEqual(told(received), ['started', `page ${held.address}`, 'failed']);
      assert.deepEqual([received[2]?.event.success, received[2]?.event.error], [false, 'The job was cancelled.']);
    });

    test('are retried after 1, 5 and 15 minutes, and then the next event is sent', async () => {
      const path = pathOf('/retried');
      receiver.answer(({ event }) => (event.type.endsWith('page') ? 500 : 302), path);
      using clock = movableClock();
      const { id } = await startBatch(trawl, { urls: pagesAt('/retried', 1), webhook: receiver.url(path) });
      await finishedBatch(trawl, id);
      const pauses = [1, 5, 15].map((minutes) => minutes * MINUTE);
      for (const [tries, pause] of pauses.entries()) {
        await receiver.until(tries + 1, path);
        const { pending, nextAttemptAt, events } = await attempted(trawl, id, tries + 1);
        const wait = Date.parse(nextAttemptAt ?? '') - now();
        assert.ok(pending === 3 && wait <= pause && wait > pause - 10_000, `${wait} ms`);
        assert.deepEqual([events[0]?.status, events[0]?.statusCode], ['pending', 302]);
        clock.move(wait);
      }
      // The fourth attempt at the first event, then the first attempt at the second.
      const received = await receiver.until(5, path);
      assert.deepEqual(
        told(received).map((text) => text.split(' ')[0]),
        ['started', 'started', 'started', 'started', 'page'],
      );
      assert.equal(new Set(received.slice(0, 4).map(({ event }) => event.webhookId)).size, 1);
      assert.ok(new Set(received.slice(0, 4).map(({ headers }) => headers['webhook-timestamp'])).size > 1);
      await attempted(trawl, id, 1, 1);
      receiver.answer(200, path);
      clock.move(MINUTE);
      const done = await finishedReport(trawl, id);
      assert.deepEqual(
        done.events.map(({ type, status, attempts, error }) => [type, status, attempts, error]),
        [
          ['started', 'failed', 4, 'The receiver responded with 302.'],
          ['page', 'delivered', 2, null],
          ['completed', 'delivered', 1, null],
        ],
      );
      const status = await trawl.get<{ webhook: unknown }>(`/v2/batch/scrape/${id}`);
      assert.deepEqual(status.body.webhook, {
        pending: 0,
        delivered: 2,
        failed: 1,
        lastError: 'The receiver responded with 500.',
      });
    });

    test('that hang delay neither their job nor the webhooks of others', async () => {
      const dead = pathOf('/dead');
      const alive = pathOf('/alive');
      const released = Promise.withResolvers<number>();
      receiver.answer(() => released.promise, dead);
      const begun = performance.now();
      const urls = pagesAt('/dead', 5);
      const hanging = await Promise.all(
        Array.from({ length: 12 }, () => startBatch(trawl, { urls, webhook: receiver.url(dead) })),
      );
      // As many as one team can have in progress.
      await receiver.until(8, dead);
      for (const { id } of hanging) assert.equal((await finishedBatch(trawl, id)).completed, 5);
      const { key } = await addLimitedTeam(trawl.options, {});
      await startBatch(trawl, { urls, webhook: receiver.url(alive) }, { key });
      await receiver.until(7, alive);
      assert.equal(receiver.received(dead).length, 8);
      assert.ok(performance.now() - begun < 9_000, 'before the receiver was given up');
      released.resolve(200);
      for (const { id } of hanging) await finishedReport(trawl, id);
    });

    test('are sealed in the store, and deleted once everything is delivered', async () => {
      const path = pathOf('/forgotten');
      const answer = Promise.withResolvers<number>();
      receiver.answer(() => answer.promise, path);
      const headers = { Authorization: 'Bearer numbat' };
      const webhook = { url: receiver.url(path), headers, metadata: { token: 'bilby' }, events: ['page'] };
      const { id } = await startBatch(trawl, { urls: pagesAt('/forgotten', 1), webhook });
      const [received] = await receiver.until(1, path);
      assert.equal(received?.headers.authorization, 'Bearer numbat');
      assert.deepEqual(received.event.metadata, { token: 'bilby' });
      assert.equal((await report(trawl, id)).url, webhook.url);
      const targets = async () => {
        const query = `select target from webhooks join jobs on jobs.number = webhooks.job where jobs.id = '${id}'`;
        return (await rowsIn(trawl.options, query)).map(({ target }) => String(target));
      };
      const [sealed = ''] = await targets();
      assert.ok(sealed.length > 100);
      for (const secret of ['numbat', 'bilby', path]) assert.ok(!sealed.includes(secret), secret);

      answer.resolve(200);
      assert.equal((await finishedReport(trawl, id)).url, null);
      assert.deepEqual(await targets(), ['']);
    });

    test('survive a restart between two attempts', async () => {
      await using location = await create();
      const path = pathOf('/restart');
      receiver.answer(503, path);
      using clock = movableClock();
      const settings = settingsOf(location.options);
      let id: string;
      {
        await using first = await startTrawl(settings);
        ({ id } = await startBatch(first, { urls: pagesAt('/restart', 1), webhook: receiver.url(path) }));
        await finishedBatch(first, id);
        await attempted(first, id, 1);
      }
      receiver.answer(200, path);
      clock.move(MINUTE);
      await using second = await startTrawl(settings);
      const { delivered, failed } = await finishedReport(second, id);
      assert.deepEqual([delivered, failed], [3, 0]);
      assert.equal(receiver.received(path).length, 4);
    });

    test('are deleted when their job expires', async () => {
      await using location = await create();
      await using own = await startTrawl(settingsOf(location.options));
      const path = pathOf('/expired');
      receiver.answer(503, path);
      const { id } = await startBatch(own, { urls: pagesAt('/expired', 3), webhook: receiver.url(path) });
      await finishedBatch(own, id);
      const store = await openStore(location.options);
      while (await store.sweep({ now: Date.now() + 25 * 60 * MINUTE, cacheBytes: 1 }));
      await store.close();
      assert.equal((await own.get(`/v2/batch/scrape/${id}/webhook`)).status, 404);
      for (const table of ['webhooks', 'webhook_events', 'jobs']) {
        assert.deepEqual(await rowsIn(location.options, `select * from ${table}`), [], table);
      }
    });

    test('are visible to their own team only', async () => {
      const path = pathOf('/mine');
      const { id } = await startBatch(trawl, { urls: pagesAt('/mine', 1), webhook: receiver.url(path) });
      const { key } = await addLimitedTeam(trawl.options, {});
      assert.equal((await trawl.get(`/v2/batch/scrape/${id}/webhook`, { key })).status, 404);
      const without = await startBatch(trawl, { urls: pagesAt('/mine', 1) });
      const none = await trawl.get(`/v2/batch/scrape/${without.id}/webhook`);
      assert.match(none.body.error, /without a webhook/);
      const theirs = pathOf('/theirs');
      await startBatch(trawl, { urls: pagesAt('/mine', 1), webhook: receiver.url(theirs) }, { key });
      const [mine, other] = [await receiver.until(1, path), await receiver.until(1, theirs)];
      const secret = await secretOf(trawl);
      for (const one of mine) assertSigned(one, secret);
      for (const one of other) assert.throws(() => assertSigned(one, secret));
    });
  });
}

describe('an invalid webhook', async () => {
  const trawl = await shared(startTrawl());
  const url = receiver.url('/refused');
  for (const [what, webhook, says] of [
    ['a number', 5, /webhook: .*object/],
    ['without an address', {}, /webhook\.url/],
    ['no address', 'nowhere', /webhook\.url: "nowhere" is not an http or https address/],
    ['of another scheme', 'file:///etc/passwd', /webhook\.url: .* is not an http or https address/],
    ['in a private network', 'http://10.0.0.1/hook', /webhook\.url: 10\.0\.0\.1 is .*does not fetch/],
    ['the address of metadata', 'http://169.254.169.254/', /webhook\.url: /],
    ['on a port of another protocol', 'http://example.com:25/', /webhook\.url: Port 25/],
    ['with a password in its address', 'http://me:secret@example.com/', /webhook\.url: .*Authorization/],
    ['with an unknown field', { url, colour: 'blue' }, /colour/],
    ['with an unknown event', { url, events: ['paused'] }, /events/],
    [
      'with a header of the connection',
      { url, headers: { Host: 'example.com' } },
      /webhook\.headers: "Host" is set by/,
    ],
    ['with a signature', { url, headers: { 'Webhook-Signature': 'v1,x' } }, /"Webhook-Signature" is set by/],
    ['with a line break in a header', { url, headers: { 'X-A': 'a\r\nX-B: b' } }, /X-A.*line break/],
    [
      'with many headers',
      { url, headers: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`x-${i}`, ''])) },
      /the limit is 50/,
    ],
    ['with much metadata', { url, metadata: { all: 'x'.repeat(8192) } }, /webhook\.metadata: .*8 KB/],
  ] as const) {
    test(`${what} is refused before anything starts`, async () => {
      const { status, body } = await trawl.post('/v2/batch/scrape', { urls: pagesAt('/refused', 1), webhook });
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], JSON.stringify(body));
      assert.match(body.error, says);
      assert.equal(body.details?.[0]?.path[0], 'webhook');
    });
  }

  test('for a batch that has already started is refused', async () => {
    const held = heldPage(site, '/refused/held');
    const { id } = await startBatch(trawl, { urls: [held.address], maxAge: 0 });
    const { status, body } = await trawl.post('/v2/batch/scrape', {
      urls: [held.address],
      appendToId: id,
      webhook: url,
    });
    held.release();
    assert.equal(status, 400);
    assert.match(body.error, /appendToId/);
  });
});

/** The report once an event (by default the first) has been tried this often. */
async function attempted(trawl: TrawlClient, id: string, attempts: number, event = 0): Promise<WebhookReport> {
  for (;;) {
    const found = await report(trawl, id);
    // Events are read after the webhook itself, so the webhook may be a moment older.
    if ((found.events[event]?.attempts ?? 0) >= attempts) return report(trawl, id);
  }
}
