import assert from 'node:assert/strict';
import { createSecureServer } from 'node:http2';
import { describe, test } from 'node:test';
import { selfSigned } from '../src/fetch/testing/certificate.ts';
import { serveProxy } from '../src/fetch/testing/proxy.ts';
import { listen } from '../src/fetch/testing/servers.ts';
import { allDocuments, finishedBatch, startBatch } from './support/batch.ts';
import { shared } from './support/shared.ts';
import { type Handler, html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const CONTENT = html('<main><h1>Lamps</h1><p>What only people were to see.</p></main>');
const BLOCKED = `<html><head><title>Just a moment...</title></head><body><p>One moment.</p>
  <script>window._cf_chl_opt = {}</script></body></html>`;

const trawl = await shared(startTrawl());
const exit = await shared(serveProxy());
const equipped = await shared(startTrawl({ TRAWL_PROXY_ENHANCED: `http://${exit.address}` }));

/** Content for requests that fulfil the condition, else a block page. */
function gate(isAdmitted: (request: Parameters<Handler>[0]) => boolean, status = 403, body = BLOCKED): Handler {
  return (request, response) => {
    const admitted = isAdmitted(request);
    response.writeHead(admitted ? 200 : status, { 'content-type': 'text/html' }).end(admitted ? CONTENT : body);
  };
}

/** A site that speaks HTTP/2 with browsers, and blocks whoever does not. */
async function startChromeOnlySite(status = 403) {
  const seen: string[] = [];
  const server = createSecureServer({ ...selfSigned(['127.0.0.1']), allowHTTP1: true }, (request, response) => {
    seen.push(request.httpVersion);
    const admitted = request.httpVersion === '2.0';
    response.writeHead(admitted ? 200 : status, { 'content-type': 'text/html' });
    response.end(admitted ? CONTENT : BLOCKED);
  });
  const { port, [Symbol.asyncDispose]: dispose } = await listen(server, 'https', '127.0.0.1', 0);
  return { url: (path: string) => `https://127.0.0.1:${port}${path}`, seen, [Symbol.asyncDispose]: dispose };
}

/** The names and statuses of steps, without their times. */
function stepsOf({ metadata }: { metadata: { steps?: string[] } }): string[] {
  return (metadata.steps ?? []).map((step) => step.replace(/ \d+ ms$/, ''));
}

describe('a page that is blocked for a plain fetch', () => {
  test('comes by a fetch with the TLS and HTTP/2 of Chrome; the next page of the host begins there', async () => {
    await using site = await startChromeOnlySite();
    const first = await trawl.scrape(site.url('/'), { skipTlsVerification: true });
    assert.match(first.markdown ?? '', /What only people/);
    assert.deepEqual(stepsOf(first), ['fetch 403', 'impersonated fetch 200']);
    const second = await trawl.scrape(site.url('/second'), { skipTlsVerification: true });
    assert.equal(second.metadata.steps, undefined);
    assert.deepEqual(site.seen, ['1.1', '2.0', '2.0']);
  });

  test('comes from a browser when its script sets a cookie', async () => {
    await using site = await startSite();
    const challenge = `<html><head><title>Just a moment...</title></head><body><script>
      window._cf_chl_opt = {};
      setTimeout(() => { document.cookie = 'cleared=1'; location.reload() }, 300)</script></body></html>`;
    const url = site.page(
      '/',
      gate(({ headers }) => (headers.cookie ?? '').includes('cleared=1'), 403, challenge),
    );
    const page = await trawl.scrape(url);
    assert.match(page.markdown ?? '', /What only people/);
    assert.equal(page.metadata.statusCode, 200);
    assert.deepEqual(stepsOf(page), ['fetch 403', 'impersonated fetch 403', 'browser 200']);
    assert.match(page.metadata.steps?.[2] ?? '', /^browser 200 \d+ ms$/);
    // What is taken from the cache took no steps.
    assert.equal((await trawl.scrape(url)).metadata.steps, undefined);
  });

  test('comes through the second proxy of the operator', async () => {
    await using site = await startSite();
    const before = exit.requests.length;
    const url = site.page(
      '/',
      gate(() => exit.requests.length > before),
    );
    const page = await equipped.scrape(url);
    assert.deepEqual(stepsOf(page), ['fetch 403', 'impersonated fetch 403', 'browser 403', 'enhanced fetch 200']);
    assert.equal(page.metadata.proxyUsed, 'enhanced');
  });
});

describe('a site that blocks whatever is tried', () => {
  test('is an error that names the product, the steps and what to do', async () => {
    await using site = await startSite();
    const url = site.page(
      '/',
      gate(() => false),
    );
    const { status, code, error } = await trawl.refusal({ url });
    assert.deepEqual({ status, code }, { status: 500, code: 'SCRAPE_BLOCKED_BY_SITE' });
    assert.match(error, /Cloudflare.*fetch 403 .*impersonated fetch 403 .*browser 403 .*TRAWL_PROXY_ENHANCED/);
  });

  test('is asked once with "proxy": "basic"', async () => {
    await using site = await startSite();
    const url = site.page(
      '/',
      gate(() => false),
    );
    const { code, error } = await trawl.refusal({ url, proxy: 'basic' });
    assert.equal(code, 'SCRAPE_BLOCKED_BY_SITE');
    assert.match(error, /"proxy": "basic"/);
    assert.equal(site.requests.length, 1);
  });

  test('is not photographed', async () => {
    await using site = await startSite();
    const url = site.page(
      '/',
      gate(() => false),
    );
    const { code } = await trawl.refusal({
      url,
      formats: ['screenshot'],
      actions: [{ type: 'click', selector: '#buy' }],
    });
    assert.equal(code, 'SCRAPE_BLOCKED_BY_SITE');
  });
});

describe('a refusal without a word about robots', () => {
  test('is asked for once more, and then is the page', async () => {
    await using site = await startSite();
    const url = site.page('/', { status: 403, body: html('<h1>Members only</h1>') });
    const page = await trawl.scrape(url, { maxAge: 0 });
    assert.match(page.markdown ?? '', /Members only/);
    assert.equal(page.metadata.statusCode, 403);
    assert.deepEqual(stepsOf(page), ['fetch 403', 'impersonated fetch 403']);
    await trawl.scrape(url, { maxAge: 0 });
    assert.equal(site.requests.length, 3);
  });

  for (const status of [401, 404, 429, 500, 503]) {
    test(`with status ${status} is the page at once`, async () => {
      await using site = await startSite();
      const url = site.page('/', { status, body: html('<h1>No</h1>') });
      const { metadata } = await trawl.scrape(url);
      assert.equal(metadata.statusCode, status);
      assert.equal(site.requests.length, 1);
    });
  }
});

describe('a page of a batch', () => {
  test('that is blocked with 429 gets one impersonated request before the pause', async () => {
    await using site = await startChromeOnlySite(429);
    const body = { urls: [site.url('/')], ignoreRobotsTxt: true, skipTlsVerification: true };
    const { id } = await startBatch(trawl, body);
    await finishedBatch(trawl, id);
    const [page] = await allDocuments(trawl, id);
    assert.match(page?.markdown ?? '', /What only people/);
    assert.deepEqual(page && stepsOf(page), ['fetch 429', 'impersonated fetch 200']);
    assert.deepEqual(site.seen.slice(-2), ['1.1', '2.0']);
  });
});
