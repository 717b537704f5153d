import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as hostile from './support/hostile.ts';
import { shared } from './support/shared.ts';
import { html, startSelfSignedSite, startSite } from './support/site.ts';
import { KEY, startTrawl } from './support/trawl.ts';
import { unusedPort } from './support/unused-port.ts';

const site = await shared(startSite());
const secureSite = await shared(startSelfSignedSite());
const trawl = await shared(startTrawl({ TRAWL_MAX_PAGE_MB: '1' }));

const MB = 1024 * 1024;
const fresh = { maxAge: 0 };

describe('a target that cannot be reached', () => {
  test('a host that does not exist is a 500, which clients do not retry', async () => {
    const { status, code, error } = await trawl.refusal({ url: 'http://nothing.invalid/' });
    assert.deepEqual({ status, code }, { status: 500, code: 'SCRAPE_DNS_RESOLUTION_ERROR' });
    assert.match(error, /nothing\.invalid/);
  });

  test('a port where nobody listens is a 502', async () => {
    const port = await unusedPort();
    const { status, code } = await trawl.refusal({ url: `http://127.0.0.1:${port}/` });
    assert.deepEqual({ status, code }, { status: 502, code: 'SCRAPE_CONNECTION_ERROR' });
  });

  test('a site that hangs up before it answers is a 502', async () => {
    const { status, code } = await trawl.refusal({ url: site.page('/hang-up', hostile.hangUp) });
    assert.deepEqual({ status, code }, { status: 502, code: 'SCRAPE_CONNECTION_ERROR' });
  });

  test('a server that does not speak HTTP is a 500', async () => {
    const { status, code } = await trawl.refusal({ url: site.page('/smtp', hostile.notHttp) });
    assert.deepEqual({ status, code }, { status: 500, code: 'SCRAPE_BAD_RESPONSE' });
  });

  test('a body that cannot be decompressed is a 500', async () => {
    const body = gzipSync(html('<p>A page</p>')).fill(0xff, 10, 40);
    const { status, code } = await trawl.refusal({
      url: site.page('/damaged', { headers: { 'content-encoding': 'gzip' }, body }),
    });
    assert.deepEqual({ status, code }, { status: 500, code: 'SCRAPE_BAD_RESPONSE' });
  });
});

describe('a page that is cut off is returned as far as it arrived, with a warning, and is not stored', () => {
  for (const [name, handler] of [
    ['a site that hangs up in the middle', hostile.hangUpInBody],
    ['a site that promises more than it sends', hostile.shortOfItsLength],
  ] as const) {
    test(name, async () => {
      const url = site.page(`/cut/${encodeURIComponent(name)}`, handler);
      for (const version of ['v1', 'v2']) {
        const { markdown, warning, metadata } = await trawl.scrape(url, {}, { version });
        assert.match(markdown ?? '', /The first words/);
        assert.match(warning ?? '', /its end is missing/);
        assert.equal(metadata.cacheState, 'miss');
      }
    });
  }

  test('but a file that is cut off is a 502', async () => {
    const url = site.page('/cut.pdf', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '5000' });
      response.write('%PDF-1.7\n', () => response.socket?.resetAndDestroy());
    });
    const { status, code } = await trawl.refusal({ url });
    assert.deepEqual({ status, code }, { status: 502, code: 'SCRAPE_CONNECTION_ERROR' });
  });
});

describe('a certificate that cannot be verified', () => {
  const url = secureSite.page('/', html('<h1>Signed by nobody</h1>'));

  test('is a 500 when verification is asked for', async () => {
    const { status, code, error } = await trawl.refusal({ url, skipTlsVerification: false });
    assert.deepEqual({ status, code }, { status: 500, code: 'SCRAPE_SSL_ERROR' });
    assert.match(error, /skipTlsVerification/);
  });

  test('is accepted by default in version 2', async () => {
    const { markdown } = await trawl.scrape(url, fresh);
    assert.match(markdown ?? '', /Signed by nobody/);
  });

  test('is refused by default in version 1, and accepted when the option says so', async () => {
    const { status, code } = await trawl.refusal({ url }, { version: 'v1' });
    assert.deepEqual({ status, code }, { status: 500, code: 'SCRAPE_SSL_ERROR' });
    const { markdown } = await trawl.scrape(url, { skipTlsVerification: true }, { version: 'v1' });
    assert.match(markdown ?? '', /Signed by nobody/);
  });
});

describe('redirects', () => {
  test('are followed up to ten times, and the final address is reported', async () => {
    const last = site.page('/hop/10', html('<h1>Arrived</h1>'));
    for (let hop = 0; hop < 10; hop++) {
      site.page(`/hop/${hop}`, { status: 302, headers: { location: `/hop/${hop + 1}` } });
    }
    const { markdown, metadata } = await trawl.scrape(site.url('/hop/0'));
    assert.match(markdown ?? '', /Arrived/);
    assert.equal(metadata.sourceURL, site.url('/hop/0'));
    assert.equal(metadata.url, last);
  });

  test('that never end are a 500', async () => {
    const before = site.requests.length;
    const { status, code } = await trawl.refusal({ url: site.page('/endless', hostile.endlessRedirects) });
    assert.deepEqual({ status, code }, { status: 500, code: 'SCRAPE_TOO_MANY_REDIRECTS' });
    assert.equal(site.requests.length - before, 11, 'the page and ten redirects');
  });

  test('in a circle are a 500', async () => {
    site.page('/ping', { status: 301, headers: { location: '/pong' } });
    site.page('/pong', { status: 301, headers: { location: '/ping' } });
    const { status, code } = await trawl.refusal({ url: site.url('/ping') });
    assert.deepEqual({ status, code }, { status: 500, code: 'SCRAPE_TOO_MANY_REDIRECTS' });
  });

  for (const location of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'javascript:alert(1)', 'http://[nowhere/']) {
    test(`to ${location} are refused`, async () => {
      const url = site.page(`/to/${encodeURIComponent(location)}`, { status: 302, headers: { location } });
      const { status, code } = await trawl.refusal({ url });
      assert.ok(['SCRAPE_BLOCKED_TARGET', 'SCRAPE_BAD_RESPONSE'].includes(code), code);
      assert.ok(status === 403 || status === 500);
    });
  }
});

describe('a page over the limit is a 413', () => {
  const tooLarge = { status: 413, code: 'SCRAPE_PAGE_TOO_LARGE' };

  test('when it never ends', async () => {
    const { status, code, error } = await trawl.refusal({ url: site.page('/endless-body', hostile.endlessBody) });
    assert.deepEqual({ status, code }, tooLarge);
    assert.match(error, /TRAWL_MAX_PAGE_MB/);
  });

  test('when its Content-Length says so', async () => {
    const url = site.page('/long', { body: 'x'.repeat(2 * MB) });
    const { status, code } = await trawl.refusal({ url });
    assert.deepEqual({ status, code }, tooLarge);
  });

  test('when it is small on the wire but large once decompressed', async () => {
    const body = gzipSync(Buffer.alloc(200 * MB));
    const url = site.page('/bomb', { headers: { 'content-encoding': 'gzip' }, body });
    const { status, code } = await trawl.refusal({ url });
    assert.deepEqual({ status, code }, tooLarge);
  });

  test('but not when it is just under the limit', async () => {
    const text = `<p>${'word '.repeat(150_000)}</p>`;
    const { markdown } = await trawl.scrape(site.page('/large', html(text)));
    assert.ok((markdown ?? '').length > 700_000);
  });
});

describe('the time of the request', () => {
  for (const [name, handler] of [
    ['a site that never answers', hostile.silence],
    ['a site that stops in the middle of the page', hostile.stallInBody],
  ] as const) {
    test(`ends with a 408 at ${name}`, async () => {
      const url = site.page(`/stall/${encodeURIComponent(name)}`, handler);
      const startedAt = performance.now();
      const { status, code, error } = await trawl.refusal({ url, timeout: 100 }, { version: 'v1' });
      assert.deepEqual({ status, code }, { status: 408, code: 'SCRAPE_TIMEOUT' });
      assert.match(error, /within 100 ms/);
      assert.ok(performance.now() - startedAt < 10_000);
    });
  }

  test('ends with a 408 in version 2 too', async () => {
    const { status, code, error } = await trawl.refusal({ url: site.page('/silence', hostile.silence), timeout: 1000 });
    assert.deepEqual({ status, code }, { status: 408, code: 'SCRAPE_TIMEOUT' });
    assert.match(error, /"timeout"/);
  });

  test('covers all redirects together', async () => {
    const url = site.page('/slow-circle', (_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/slow-circle' }).end(), 60);
    });
    const { status, code } = await trawl.refusal({ url, timeout: 200 }, { version: 'v1' });
    assert.deepEqual({ status, code }, { status: 408, code: 'SCRAPE_TIMEOUT' });
  });

  test('ends the connection to the site as well', async () => {
    const closed = Promise.withResolvers<void>();
    const url = site.page('/watched', (request) => request.socket.once('close', () => closed.resolve()));
    await trawl.refusal({ url, timeout: 100 }, { version: 'v1' });
    await closed.promise;
  });

  test('a caller that hangs up ends the connection to the site', async () => {
    const reached = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const url = site.page('/left-alone', (request) => {
      request.socket.once('close', () => closed.resolve());
      reached.resolve();
    });
    const caller = new AbortController();
    const call = fetch(`${trawl.address}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
      signal: caller.signal,
    });
    await reached.promise;
    caller.abort();
    await assert.rejects(call, { name: 'AbortError' });
    await closed.promise;
  });
});

describe('a file that is not a page is a 415', () => {
  test('a PDF, with what would be needed', async () => {
    const body = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n';
    const url = site.page('/paper.pdf', {
      headers: { 'content-type': 'application/pdf' },
      body: Buffer.from(body, 'latin1'),
    });
    const { status, code, error } = await trawl.refusal({ url });
    assert.deepEqual({ status, code }, { status: 415, code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' });
    assert.match(error, /application\/pdf.*document parser/);
  });

  test('a PDF that claims to be a page', async () => {
    const { status, code } = await trawl.refusal({
      url: site.page('/lie', { body: '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n' }),
    });
    assert.deepEqual({ status, code }, { status: 415, code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' });
  });

  test('an image', async () => {
    const body = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const { status, code, error } = await trawl.refusal({
      url: site.page('/dot.png', { headers: { 'content-type': 'image/png' }, body }),
    });
    assert.deepEqual({ status, code }, { status: 415, code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' });
    assert.match(error, /image\/png/);
  });
});
