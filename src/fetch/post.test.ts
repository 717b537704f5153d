import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFetcher, type FetcherOptions } from './fetcher.ts';
import { trawlError } from './testing/fetching.ts';
import { serveProxy } from './testing/proxy.ts';
import { serveHttp, serveTcp } from './testing/servers.ts';

function testPoster(options: Partial<FetcherOptions> = {}) {
  const poster = createFetcher({ allowNetworks: ['127.0.0.1'], maxBodyBytes: 1024 * 1024, ...options });
  return {
    post: (url: string, signal = AbortSignal.timeout(10_000)) =>
      poster.post({ url: new URL(url), headers: { 'X-Sent-By': 'numbat' }, body: 'Grüße', signal, share: 'test' }),
    check: (url: string) => poster.checkTarget(new URL(url)),
    [Symbol.asyncDispose]: () => poster.close(),
  };
}

describe('posting', () => {
  test('sends the body with the given headers, and returns the status of the response', async () => {
    const seen: unknown[] = [];
    await using server = await serveHttp(async (request, response) => {
      const { method, url, headers } = request;
      seen.push([method, url, headers['x-sent-by'], headers['content-length'], await text(request)]);
      response.writeHead(204).end();
    });
    await using poster = testPoster();
    assert.equal(await poster.post(`${server.url}/hook?a=1`), 204);
    assert.deepEqual(seen, [['POST', '/hook?a=1', 'numbat', '7', 'Grüße']]);
  });

  test('goes through the proxy', async () => {
    await using server = await serveHttp((_request, response) => response.writeHead(200).end());
    await using proxy = await serveProxy();
    await using poster = testPoster({ proxy: `http://${proxy.address}` });
    assert.equal(await poster.post(server.url), 200);
    assert.deepEqual(proxy.requests, [`POST ${server.url}/`]);
  });

  test('does not follow redirects', async () => {
    let visits = 0;
    await using server = await serveHttp((_request, response) => {
      visits += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await using poster = testPoster();
    assert.equal(await poster.post(server.url), 307);
    assert.equal(visits, 1);
  });

  test('keeps the connection after a small response, and closes it in the middle of an endless one', async () => {
    let endless = false;
    await using server = await serveHttp((_request, response) => {
      if (!endless) return response.end('thank you');
      const write = (): unknown => response.write('x'.repeat(64 * 1024)) && !response.destroyed && setImmediate(write);
      response.on('drain', write);
      return write();
    });
    await using poster = testPoster();
    assert.equal(await poster.post(server.url), 200);
    // undici frees the connection in this turn.
    await nextTurn();
    assert.equal(await poster.post(server.url), 200);
    assert.equal(server.connections, 1);
    endless = true;
    assert.equal(await poster.post(server.url), 200);
  });

  test('ends with its signal when no response arrives', async () => {
    await using server = await serveTcp(() => {});
    await using poster = testPoster();
    await assert.rejects(poster.post(server.url, AbortSignal.timeout(20)), { name: 'TimeoutError' });
  });

  test('does not reach a target that the guard refuses', async () => {
    await using server = await serveHttp((_request, response) => response.end());
    await using poster = testPoster({ allowNetworks: [] });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      await assert.rejects(
        poster.post(server.url.replace('127.0.0.1', host)),
        trawlError('SCRAPE_BLOCKED_TARGET', /loopback/),
      );
    }
    assert.equal(server.connections, 0);
  });
});

describe('a target that is checked in advance', () => {
  const resolve = async (name: string) => {
    if (name !== 'inside.test') throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return [{ address: '10.1.2.3', family: 4 }];
  };

  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://inside.test/', 'http://x.test:25/']) {
    test(`is refused when it is ${url}`, async () => {
      await using poster = testPoster({ allowNetworks: [], resolve });
      await assert.rejects(poster.check(url), trawlError('SCRAPE_BLOCKED_TARGET'));
    });
  }

  test('is not refused when it is allowed, or does not exist yet', async () => {
    await using poster = testPoster({ allowNetworks: ['10.0.0.0/8'], resolve });
    for (const url of ['http://10.0.0.1/', 'http://inside.test/', 'http://not-yet.test/']) await poster.check(url);
  });

  test('is not refused when the name server does not answer in time', async () => {
    await using poster = testPoster({ resolve: () => new Promise(() => {}) });
    await poster.check('http://silent.test/');
  });
});
