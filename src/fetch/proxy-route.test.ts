import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { Deadline } from '../deadline.ts';
import type { ResolveName } from './egress/egress-guard.ts';
import { selfSigned } from './testing/certificate.ts';
import { testFetcher, trawlError } from './testing/fetching.ts';
import { serveProxy } from './testing/proxy.ts';
import { type Handler, serveBytes, serveHttp, serveHttps, serveTcp } from './testing/servers.ts';

/** Names end in .test here; only a proxy knows the others. */
const resolve: ResolveName = async (name) => {
  if (name === 'inside.test') return [{ address: '10.0.0.1', family: 4 }];
  if (name.endsWith('.test')) return [{ address: '127.0.0.1', family: 4 }];
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
};

const echo: Handler = (request, response) => {
  response.end(`${request.url} ${request.headers.host} ${request.headers['proxy-authorization'] ?? 'no proxy header'}`);
};

describe('a proxy', () => {
  test('gets http addresses in absolute form', async () => {
    await using server = await serveHttp(echo);
    await using proxy = await serveProxy();
    await using fetcher = testFetcher({ proxy: `http://${proxy.address}`, resolve });
    const page = await fetcher.get(`http://127.0.0.1:${server.port}/a?b=c`);
    assert.equal(page.text, `/a?b=c 127.0.0.1:${server.port} no proxy header`);
    assert.equal(page.proxyUsed, 'basic');
    assert.deepEqual(proxy.requests, [`GET http://127.0.0.1:${server.port}/a?b=c`]);
  });

  test('tunnels https addresses', async () => {
    await using server = await serveHttps(selfSigned(['site.test']), echo);
    await using proxy = await serveProxy({ route: () => `127.0.0.1:${server.port}` });
    await using fetcher = testFetcher({ proxy: `http://${proxy.address}`, resolve });
    const page = await fetcher.get('https://site.test/a', { verifyTls: false });
    assert.equal(page.text, '/a site.test no proxy header');
    assert.deepEqual(proxy.requests, ['CONNECT site.test:443']);
    await assert.rejects(fetcher.get('https://site.test/a'), trawlError('SCRAPE_SSL_ERROR', /self-signed/));
  });

  test('keeps its connections', async () => {
    await using server = await serveHttps(selfSigned(['site.test']), echo);
    await using proxy = await serveProxy({ route: () => `127.0.0.1:${server.port}` });
    await using fetcher = testFetcher({ proxy: `http://${proxy.address}`, resolve });
    for (let i = 0; i < 6; i++) await fetcher.get('https://site.test/', { verifyTls: false });
    assert.equal(proxy.requests.length, 2);
  });

  test('gets the user name and password from its address, but the target does not', async () => {
    await using server = await serveHttp(echo);
    await using secure = await serveHttps(selfSigned(['site.test']), echo);
    await using proxy = await serveProxy({
      credentials: 'user:p@ss%',
      route: (target) => `127.0.0.1:${target.endsWith(':443') ? secure.port : server.port}`,
    });
    await using fetcher = testFetcher({ proxy: `http://user:p%40ss%@${proxy.address}`, resolve });
    assert.equal((await fetcher.get('http://site.test/')).text, '/ site.test no proxy header');
    assert.equal((await fetcher.get('https://site.test/', { verifyTls: false })).text, '/ site.test no proxy header');
  });

  for (const url of ['http://site.test/', 'https://site.test/']) {
    test(`that rejects the password is named in the error without it: ${url}`, async () => {
      await using proxy = await serveProxy({ credentials: 'user:right' });
      await using fetcher = testFetcher({ proxy: `http://user:wrong-secret@${proxy.address}`, resolve });
      await assert.rejects(fetcher.get(url), (error) => {
        assert.ok(
          error instanceof Error && !/wrong-secret/.test(JSON.stringify([error.message, error.stack, error.cause])),
        );
        return trawlError(
          'SCRAPE_PROXY_ERROR',
          /^The proxy in TRAWL_PROXY does not accept the user name and password in its address \(407\)\.$/,
        )(error);
      });
    });

    test(`that is unreachable is named in the error: ${url}`, async () => {
      const proxy = await serveProxy();
      await proxy[Symbol.asyncDispose]();
      await using fetcher = testFetcher({ proxy: `http://${proxy.address}`, resolve });
      await assert.rejects(
        fetcher.get(url),
        trawlError('SCRAPE_PROXY_ERROR', /^The proxy in TRAWL_PROXY is unreachable \(ECONNREFUSED\)\.$/),
      );
    });
  }

  test('that opens no tunnel is named in the error', async () => {
    await using proxy = await serveProxy({ route: () => undefined });
    await using fetcher = testFetcher({ proxy: `http://${proxy.address}`, resolve });
    await assert.rejects(
      fetcher.get('https://site.test/'),
      trawlError('SCRAPE_PROXY_ERROR', /responded with 502 to a request for site\.test:443/),
    );
  });

  test('that does not speak HTTP or hangs up is named in the error', async () => {
    for (const broken of [await serveBytes('nonsense\r\n\r\n'), await serveTcp((socket) => socket.destroy())]) {
      await using server = broken;
      await using fetcher = testFetcher({ proxy: server.url, resolve });
      await assert.rejects(
        fetcher.get('https://site.test/'),
        trawlError('SCRAPE_PROXY_ERROR', /closed the connection on a request for site\.test:443/),
      );
    }
  });

  test('may itself be private', async () => {
    await using server = await serveHttp(echo);
    await using proxy = await serveProxy({ route: () => `127.0.0.1:${server.port}` });
    await using fetcher = testFetcher({
      proxy: `http://${proxy.address}`,
      resolve: async () => [{ address: '93.184.215.14', family: 4 }],
      allowNetworks: [],
    });
    assert.equal((await fetcher.get('http://example.com/')).status, 200);
  });

  test('may be reached over TLS', async () => {
    const certificate = selfSigned(['127.0.0.1']);
    await using server = await serveHttp(echo);
    await using secure = await serveHttps(selfSigned(['site.test']), echo);
    await using proxy = await serveProxy({
      certificate,
      route: (target) => `127.0.0.1:${target.endsWith(':443') ? secure.port : server.port}`,
    });
    await using distrusting = testFetcher({ proxy: `https://${proxy.address}`, resolve });
    await assert.rejects(
      distrusting.get('http://site.test/', { verifyTls: false }),
      trawlError('SCRAPE_PROXY_ERROR', /is unreachable \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
    );
    setDefaultCACertificates([certificate.cert]);
    await using fetcher = testFetcher({ proxy: `https://${proxy.address}`, resolve });
    assert.equal((await fetcher.get('http://site.test/')).text, '/ site.test no proxy header');
    assert.equal((await fetcher.get('https://site.test/', { verifyTls: false })).text, '/ site.test no proxy header');
  });
});

describe('behind a proxy', () => {
  for (const url of [
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'http://[::1]/',
    'http://0x7f.0.0.2/',
    'http://inside.test/',
    'https://inside.test/',
  ]) {
    test(`the guard refuses ${url}`, async () => {
      await using proxy = await serveProxy();
      await using fetcher = testFetcher({ proxy: `http://${proxy.address}`, resolve });
      await assert.rejects(fetcher.get(url), trawlError('SCRAPE_BLOCKED_TARGET', /TRAWL_ALLOW_NETWORKS/));
      assert.deepEqual(proxy.requests, []);
    });
  }

  test('the guard refuses a redirect to a private address', async () => {
    await using server = await serveHttp((_request, response) =>
      response.writeHead(302, { Location: 'http://inside.test/' }).end(),
    );
    await using proxy = await serveProxy();
    await using fetcher = testFetcher({ proxy: `http://${proxy.address}`, resolve });
    await assert.rejects(
      fetcher.get(server.url),
      trawlError('SCRAPE_BLOCKED_TARGET', /inside\.test resolves to a private/),
    );
    assert.equal(proxy.requests.length, 1);
  });

  test('waiting for a silent name server ends with the deadline', async () => {
    const cancel = new AbortController();
    using deadline = new Deadline(10_000, cancel.signal);
    await using fetcher = testFetcher({
      proxy: 'http://127.0.0.1:9',
      resolve: () => {
        setImmediate(() => cancel.abort(new Error('over')));
        return new Promise(() => {});
      },
    });
    await assert.rejects(fetcher.get('http://site.test/', { deadline }), /^Error: over$/);
  });

  test('a name that only the proxy knows is resolved by the proxy', async () => {
    await using server = await serveHttp(echo);
    await using proxy = await serveProxy({ route: () => `127.0.0.1:${server.port}` });
    await using fetcher = testFetcher({ proxy: `http://${proxy.address}`, resolve });
    assert.equal((await fetcher.get('http://elsewhere.example/')).text, '/ elsewhere.example no proxy header');
  });
});

describe('the choice of a proxy', () => {
  test('"enhanced" goes through TRAWL_PROXY_ENHANCED', async () => {
    await using server = await serveHttp(echo);
    await using basic = await serveProxy();
    await using enhanced = await serveProxy();
    await using fetcher = testFetcher({
      proxy: `http://${basic.address}`,
      enhancedProxy: `http://${enhanced.address}`,
    });
    const page = await fetcher.get(server.url, { proxy: 'enhanced' });
    assert.equal(page.proxyUsed, 'enhanced');
    assert.deepEqual([basic.requests.length, enhanced.requests.length], [0, 1]);
  });

  test('"enhanced" falls back to basic without one, and reports it', async () => {
    await using server = await serveHttp(echo);
    await using basic = await serveProxy();
    await using fetcher = testFetcher({ proxy: `http://${basic.address}` });
    const page = await fetcher.get(server.url, { proxy: 'enhanced' });
    assert.equal(page.proxyUsed, 'basic');
    assert.equal(basic.requests.length, 1);
  });

  for (const [what, status, headers] of [
    ['status 403', 403, {}],
    ['status 429', 429, {}],
    ['status 503', 503, {}],
    ['a challenge', 200, { 'cf-mitigated': 'challenge' }],
  ] as const) {
    test(`"auto" uses the enhanced proxy after ${what}`, async () => {
      let requests = 0;
      await using server = await serveHttp((_request, response) => {
        if (requests++ === 0) response.writeHead(status, headers).end('blocked');
        else response.end('welcome');
      });
      await using enhanced = await serveProxy();
      await using fetcher = testFetcher({ enhancedProxy: `http://${enhanced.address}` });
      const page = await fetcher.get(server.url, { proxy: 'auto' });
      assert.deepEqual([page.text, page.proxyUsed], ['welcome', 'enhanced']);
    });
  }

  for (const status of [200, 401, 404, 500]) {
    test(`"auto" stays with basic after status ${status}`, async () => {
      await using server = await serveHttp((_request, response) => response.writeHead(status).end('page'));
      await using enhanced = await serveProxy();
      await using fetcher = testFetcher({ enhancedProxy: `http://${enhanced.address}` });
      const page = await fetcher.get(server.url, { proxy: 'auto' });
      assert.deepEqual([page.status, page.proxyUsed, enhanced.requests.length], [status, 'basic', 0]);
    });
  }

  test('"auto" returns the blocked page if no enhanced proxy is set', async () => {
    await using server = await serveHttp((_request, response) => response.writeHead(403).end('blocked'));
    await using fetcher = testFetcher();
    const page = await fetcher.get(server.url, { proxy: 'auto' });
    assert.deepEqual([page.status, page.proxyUsed], [403, 'basic']);
  });
});
