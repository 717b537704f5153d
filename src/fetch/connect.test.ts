import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { setDefaultCACertificates, TLSSocket } from 'node:tls';
import { directConnector } from './connect.ts';
import { createEgressGuard, type ResolveName } from './egress/egress-guard.ts';
import { selfSigned } from './testing/certificate.ts';
import { serveDns } from './testing/dns-server.ts';
import { testFetcher, trawlError } from './testing/fetching.ts';
import { type Handler, serveHttp, serveHttps, serveTcp } from './testing/servers.ts';

const here: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }];
const answerOk: Handler = (_request, response) => response.end('ok');

describe('a connection to a name', () => {
  test('goes to the address from the name server, which is queried once', async () => {
    await using server = await serveHttp(answerOk);
    await using dns = await serveDns(() => ['127.0.0.1']);
    await using fetcher = testFetcher({ resolve: dns.resolve });
    assert.equal((await fetcher.get(`http://site.test:${server.port}/`)).text, 'ok');
    assert.deepEqual(dns.asked, ['site.test']);
  });

  test('is refused when the name resolves to a private address', async () => {
    await using server = await serveHttp(answerOk, '127.0.0.2');
    await using dns = await serveDns(() => ['127.0.0.2']);
    await using fetcher = testFetcher({ resolve: dns.resolve });
    await assert.rejects(
      fetcher.get(`http://site.test:${server.port}/`),
      trawlError('SCRAPE_BLOCKED_TARGET', /^site\.test resolves to a loopback address/),
    );
    assert.equal(server.connections, 0);
  });

  test('is refused when a public name becomes private', async () => {
    let answers = 0;
    await using server = await serveHttp((_request, response) =>
      response.writeHead(200, { Connection: 'close' }).end('ok'),
    );
    await using inside = await serveHttp(answerOk, '127.0.0.2', server.port);
    await using dns = await serveDns(() => [answers++ === 0 ? '127.0.0.1' : '127.0.0.2']);
    await using fetcher = testFetcher({ resolve: dns.resolve });
    const url = `http://site.test:${server.port}/`;
    assert.equal((await fetcher.get(url)).text, 'ok');
    await assert.rejects(fetcher.get(url), trawlError('SCRAPE_BLOCKED_TARGET'));
    assert.equal(inside.connections, 0);
  });

  test('uses the public address of a name that also has a private one', async () => {
    await using server = await serveHttp(answerOk);
    await using inside = await serveHttp(answerOk, '127.0.0.2', server.port);
    await using dns = await serveDns(() => ['127.0.0.2', '127.0.0.1']);
    await using fetcher = testFetcher({ resolve: dns.resolve });
    assert.equal((await fetcher.get(`http://site.test:${server.port}/`)).text, 'ok');
    assert.equal(inside.connections, 0);
  });

  test('uses the next address when the first one refuses', async () => {
    await using server = await serveHttp(answerOk);
    await using fetcher = testFetcher({
      allowNetworks: ['127.0.0.0/8'],
      resolve: async () => ['127.0.0.3', '127.0.0.1'].map((address) => ({ address, family: 4 })),
    });
    assert.equal((await fetcher.get(`http://site.test:${server.port}/`)).text, 'ok');
  });

  test('fails when the name does not exist', async () => {
    await using dns = await serveDns(() => undefined);
    await using fetcher = testFetcher({ resolve: dns.resolve });
    await assert.rejects(
      fetcher.get('http://nowhere.test/'),
      trawlError('SCRAPE_DNS_RESOLUTION_ERROR', /^The name nowhere\.test does not exist/),
    );
  });

  test('fails when the name server fails', async () => {
    await using fetcher = testFetcher({
      resolve: () => Promise.reject(Object.assign(new Error('try again'), { code: 'EAI_AGAIN' })),
    });
    await assert.rejects(
      fetcher.get('http://site.test/'),
      trawlError('SCRAPE_CONNECTION_ERROR', /did not answer \(EAI_AGAIN\)\. Try again later/),
    );
  });

  for (const host of ['localhost', 'LOCALHOST', 'ⓛocalhost']) {
    test(`is refused for the real "${host}"`, async () => {
      await using fetcher = testFetcher({ allowNetworks: [] });
      await assert.rejects(fetcher.get(`http://${host}/`), trawlError('SCRAPE_BLOCKED_TARGET', /a loopback address/));
    });
  }
});

describe('connections', () => {
  test('are no longer kept alive once 512 are open', async () => {
    const held: ServerResponse[] = [];
    const full = Promise.withResolvers<void>();
    await using server = await serveHttp((request, response) => {
      if (request.url === '/last') response.end(request.headers.connection);
      else if (held.push(response) === 512) full.resolve();
    });
    await using fetcher = testFetcher({ resolve: here });
    const urls = Array.from({ length: 512 }, (_, i) => `http://host${i % 8}.test:${server.port}/`);
    const pages = urls.map((url) => fetcher.get(url));
    await full.promise;
    const last = `http://last.test:${server.port}/last`;
    assert.equal((await fetcher.get(last)).text, 'close');
    for (const response of held) response.end();
    await Promise.all(pages);
  });

  test('to one origin are limited to 64', async () => {
    let open = 0;
    let peak = 0;
    await using server = await serveHttp((_request, response) => {
      peak = Math.max(peak, ++open);
      setImmediate(() => {
        open--;
        response.end();
      });
    });
    await using fetcher = testFetcher();
    await Promise.all(Array.from({ length: 200 }, () => fetcher.get(server.url)));
    assert.ok(server.connections <= 64 && peak <= 64, `${server.connections} connections`);
  });
});

describe('the connector', () => {
  test('refuses a literal address that was not checked before', (_, done) => {
    const connect = directConnector(createEgressGuard([]), true);
    connect({ hostname: '10.0.0.1', protocol: 'http:', port: '80' }, (...[error]) => {
      assert.ok(trawlError('SCRAPE_BLOCKED_TARGET', /^10\.0\.0\.1 is a private address/)(error));
      done();
    });
  });

  test('checks the address of the connected socket again, and sends no request', async () => {
    let received = 0;
    await using server = await serveHttp((_request, response) => {
      received++;
      response.end();
    });
    const guard = createEgressGuard([]);
    const fooled = { ...guard, lookup: createEgressGuard(['127.0.0.1'], here).lookup };
    const error = await new Promise((resolve) => {
      directConnector(fooled, true)(
        { hostname: 'site.test', protocol: 'http:', port: String(server.port) },
        (...[refused]) => resolve(refused),
      );
    });
    assert.ok(trawlError('SCRAPE_BLOCKED_TARGET', /^site\.test connects to a loopback address/)(error));
    assert.equal(received, 0);
  });
});

describe('a TLS connection', () => {
  const day = { from: -1, to: 1 };
  const certificates = {
    untrusted: selfSigned(['site.test'], day),
    trusted: selfSigned(['site.test', '127.0.0.1'], day),
    expired: selfSigned(['site.test'], { from: -9, to: -1 }),
    early: selfSigned(['site.test'], { from: 1, to: 9 }),
    foreign: selfSigned(['other.test'], day),
  };
  const { trusted, expired, early, foreign } = certificates;
  setDefaultCACertificates([trusted, expired, early, foreign].map(({ cert }) => cert));

  const refused: readonly (readonly [keyof typeof certificates, RegExp])[] = [
    ['untrusted', /its certificate is self-signed/],
    ['expired', /its certificate has expired/],
    ['early', /its certificate is not valid yet/],
    ['foreign', /its certificate is for another host name/],
  ];
  for (const [kind, reason] of refused) {
    test(`to a server with a certificate that is ${kind} is refused, unless verification is disabled`, async () => {
      await using server = await serveHttps(certificates[kind], answerOk);
      await using fetcher = testFetcher({ resolve: here });
      const url = `https://site.test:${server.port}/`;
      const message = `^No secure connection to site\\.test:\\d+, because ${reason.source}\\. .* "skipTlsVerification": true\\.$`;
      await assert.rejects(fetcher.get(url), trawlError('SCRAPE_SSL_ERROR', new RegExp(message)));
      assert.equal((await fetcher.get(url, { verifyTls: false })).text, 'ok');
    });
  }

  test('to a server with a valid certificate is made, by name and by address', async () => {
    await using server = await serveHttps(trusted, answerOk);
    await using fetcher = testFetcher({ resolve: here });
    for (const host of ['site.test', 'site.test.', '127.0.0.1']) {
      assert.equal((await fetcher.get(`https://${host}:${server.port}/`)).text, 'ok', host);
    }
  });

  test('without verification is not reused for a page that requires it', async () => {
    await using server = await serveHttps(selfSigned(['127.0.0.1']), answerOk);
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url, { verifyTls: false })).text, 'ok');
    await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_SSL_ERROR'));
    assert.equal((await fetcher.get(server.url, { verifyTls: false })).text, 'ok');
  });

  test('sends the host name without a trailing dot, and never an IP address', async () => {
    const names: unknown[] = [];
    await using server = await serveHttps(selfSigned(['site.test']), (request, response) => {
      const { socket } = request;
      names.push(socket instanceof TLSSocket && socket.servername, request.headers.host);
      response.end();
    });
    await using fetcher = testFetcher({ resolve: here });
    await fetcher.get(`https://site.test.:${server.port}/`, { verifyTls: false });
    await fetcher.get(`https://127.0.0.1:${server.port}/`, { verifyTls: false });
    assert.deepEqual(names, ['site.test', `site.test.:${server.port}`, false, `127.0.0.1:${server.port}`]);
  });

  test('to a server that speaks plain HTTP fails with an explanation', async () => {
    await using server = await serveTcp((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await using fetcher = testFetcher();
    await assert.rejects(
      fetcher.get(server.url.replace('http', 'https'), { verifyTls: false }),
      trawlError('SCRAPE_SSL_ERROR', /perhaps the address should start with http:\/\/\.$/),
    );
  });

  test('to a server with outdated encryption works only without verification', async () => {
    const outdated = {
      ...selfSigned(['site.test']),
      minVersion: 'TLSv1' as const,
      maxVersion: 'TLSv1' as const,
      ciphers: 'ALL:@SECLEVEL=0',
    };
    await using server = await serveHttps(outdated, answerOk);
    await using fetcher = testFetcher({ resolve: here });
    const url = `https://site.test:${server.port}/`;
    await assert.rejects(fetcher.get(url), trawlError('SCRAPE_SSL_ERROR', /it offers only outdated encryption/));
    assert.equal((await fetcher.get(url, { verifyTls: false })).text, 'ok');
  });
});
