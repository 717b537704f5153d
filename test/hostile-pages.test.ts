import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());

/** The shortest time limit that a request can set. */
const TIMEOUT = 1000;
/** Each page takes at least two seconds. We measured 50 to 150 ms with other work on the same processors. */
const RESPONSIVE_MS = 1000;

/** Each takes 0.2 s on a list of 4,000, just within the bound of one selector. */
const COUNTING = Array.from({ length: 100 }, (_, n) => `p:nth-child(${n})`);

describe('a page made to keep its reader busy for seconds', () => {
  for (const [name, body, options] of [
    ['a million elements', '<p>x'.repeat(1_000_000), {}],
    ['10 MB of telephone numbers', '+1 202 555 0143 '.repeat(640_000), { redactPII: true }],
    ['a list of 4,000 and selectors that count in it', '<p>x'.repeat(4_000), { excludeTags: COUNTING }],
  ] as const) {
    test(`${name}: ends at its time limit while the service answers other requests`, async () => {
      const url = site.page(`/${encodeURIComponent(name)}`, html(body));
      const start = performance.now();
      const hostile = trawl.refusal({ url, timeout: TIMEOUT, maxAge: 0, ...options });
      let slowest = 0;
      let over = false;
      const ended = hostile.finally(() => {
        over = true;
      });
      while (!over) {
        const asked = performance.now();
        await (await fetch(`${trawl.address}/health`)).text();
        slowest = Math.max(slowest, performance.now() - asked);
      }
      const { status, code } = await ended;
      assert.deepEqual({ status, code }, { status: 408, code: 'SCRAPE_TIMEOUT' });
      const late = performance.now() - start - TIMEOUT;
      assert.ok(late < RESPONSIVE_MS, `answered ${late} ms after its time limit`);
      assert.ok(slowest < RESPONSIVE_MS, `/health took ${slowest} ms meanwhile`);
      const { markdown } = await trawl.scrape(site.page('/next', html(`<p>${'The next page. '.repeat(10_000)}</p>`)));
      assert.match(markdown ?? '', /The next page/);
    });
  }

  test('does not delay the stop of the service', async () => {
    const body = html('<p>x'.repeat(1_000_000));
    const asked = Promise.withResolvers<void>();
    const url = site.page('/stopped', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(body, () => asked.resolve());
    });
    const stopping = await startTrawl();
    const reading = stopping.refusal({ url, timeout: TIMEOUT });
    await Promise.race([asked.promise, reading]);
    await stopping[Symbol.asyncDispose]();
    assert.equal((await reading).status, 408);
  });
});
