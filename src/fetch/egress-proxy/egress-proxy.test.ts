import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { TrawlError } from '../../errors.ts';
import { createFetcher } from '../fetcher.ts';
import { serveProxy } from '../testing/proxy.ts';
import { serveBytes, serveHttp, serveTcp, type TestServer } from '../testing/servers.ts';
import type { ProxyRequest } from '../types.ts';

type FetcherOptions = Partial<Parameters<typeof createFetcher>[0]>;

async function openProxy(options: FetcherOptions = {}, asked: Partial<ProxyRequest> = {}) {
  const fetcher = createFetcher({ allowNetworks: ['127.0.0.1'], maxBodyBytes: 1024 * 1024, ...options });
  const proxy = await fetcher.openProxy({ route: 'basic', ...asked });
  const { port } = new URL(proxy.address);
  return {
    proxy,
    port: Number(port),
    refusal: (url: string) => proxy.refusal(new URL(url)),
    /** A plain request in absolute form. */
    async get(url: string, options: RequestOptions = {}, body: readonly string[] = []): Promise<IncomingMessage> {
      const asked = request({ host: '127.0.0.1', port, path: url, agent: false, ...options });
      for (const part of body) asked.write(part);
      asked.end();
      const [answer] = await once(asked, 'response');
      return answer;
    },
    /** The socket of a tunnel, and the answer to its request. */
    async tunnel(target: string, after = ''): Promise<{ socket: Socket; answer: string }> {
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n${after}`);
      const [data] = await once(socket, 'data');
      return { socket, answer: String(data) };
    },
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await fetcher.close();
    },
  };
}

describe('plain requests', () => {
  test('arrive with the headers between the ends, and without those of the connection', async () => {
    const seen = Promise.withResolvers<IncomingMessage>();
    await using site = await serveHttp((asked, answer) => {
      seen.resolve(asked);
      answer.writeHead(200, 'Fine', [
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Mixed', 'Case'],
        ...['Connection', 'close, X-Hop', 'X-Hop', 'gone', 'Keep-Alive', 'timeout=9'],
      ]);
      answer.end('hello');
    });
    await using out = await openProxy();
    const answer = await out.get(`${site.url}/path?query=1`, {
      headers: {
        ...{ Host: 'elsewhere.example', 'Proxy-Connection': 'keep-alive', 'Proxy-Authorization': 'Basic eDp5' },
        ...{ Connection: 'X-Secret', 'X-Secret': 'hop', TE: 'trailers', 'X-Own': 'kept' },
      },
    });
    assert.equal(await text(answer), 'hello');
    assert.deepEqual([answer.statusCode, answer.statusMessage], [200, 'Fine']);
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
    assert.ok(answer.rawHeaders.includes('X-Mixed'));
    assert.equal(answer.headers['x-hop'], undefined);
    const { url, headers } = await seen.promise;
    assert.equal(url, '/path?query=1');
    assert.deepEqual(headers, { host: `127.0.0.1:${site.port}`, connection: 'keep-alive', 'x-own': 'kept' });
  });

  test('carry bodies of known and unknown length, both ways', async () => {
    await using site = await serveHttp((asked, answer) => {
      answer.setHeader('x-framing', asked.headers['transfer-encoding'] ?? asked.headers['content-length'] ?? 'none');
      asked.pipe(answer);
    });
    await using out = await openProxy();
    const parts = ['one ', 'two ', 'three'];
    const chunked = await out.get(site.url, { method: 'POST' }, parts);
    assert.deepEqual([chunked.headers['x-framing'], await text(chunked)], ['chunked', parts.join('')]);
    const whole = await out.get(site.url, { method: 'PUT', headers: { 'content-length': 13 } }, parts);
    assert.deepEqual([whole.headers['x-framing'], await text(whole)], ['13', parts.join('')]);
    const none = await out.get(site.url);
    assert.deepEqual([none.headers['x-framing'], await text(none)], ['none', '']);
  });

  test('wait for the target to ask for the body, when the client does', async () => {
    await using site = await serveHttp((asked, answer) => void asked.pipe(answer));
    await using out = await openProxy();
    const asked = request({
      ...{ host: '127.0.0.1', port: out.port, path: site.url, agent: false, method: 'POST' },
      headers: { expect: '100-continue', 'content-length': 2 },
    });
    asked.flushHeaders();
    await once(asked, 'continue');
    asked.end('ok');
    const [answer] = await once(asked, 'response');
    assert.equal(await text(answer), 'ok');
  });

  test('of one client share a connection to the target', async () => {
    await using site = await serveHttp((_, answer) => answer.end('x'.repeat(100_000)));
    await using out = await openProxy();
    const agent = new Agent({ keepAlive: true });
    for (let i = 0; i < 5; i++)
      assert.equal((await text(await out.get(`${site.url}/${i}`, { agent }))).length, 100_000);
    agent.destroy();
    assert.equal(site.connections, 1);
  });

  test('are sent again when the target had closed the kept connection', async () => {
    await using site = await serveTcp((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        socket.once('data', () => socket.destroy());
      });
    });
    await using out = await openProxy();
    assert.equal(await text(await out.get(site.url)), 'ok');
    assert.equal(await text(await out.get(site.url)), 'ok');
    assert.equal(site.connections, 2);
  });

  test('end as broken when the body breaks off, however its length is given', async () => {
    for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
      await using site = await serveBytes(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n5\r\nhello\r\n`);
      await using out = await openProxy();
      await assert.rejects(text(await out.get(site.url)), { code: 'ECONNRESET' });
    }
  });

  test('take a body that ends with the connection', async () => {
    await using site = await serveBytes('HTTP/1.1 200 OK\r\n\r\nhello');
    await using out = await openProxy();
    assert.equal(await text(await out.get(site.url)), 'hello');
  });

  test('ask an upgrade as an ordinary request, for browsers use tunnels', async () => {
    await using site = await serveHttp(({ headers }, answer) => answer.end(headers.upgrade ?? 'plain'));
    await using out = await openProxy();
    const answer = await out.get(site.url, { headers: { connection: 'upgrade', upgrade: 'websocket' } });
    assert.equal(await text(answer), 'plain');
  });

  test('are asked of the target by nothing but their address: no other form is taken', async () => {
    await using out = await openProxy();
    for (const path of [
      '/',
      '*',
      'https://127.0.0.1/',
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      'http://a:b@127.0.0.1/',
    ]) {
      assert.equal((await out.get(path)).statusCode, 400, path);
    }
  });

  test('go no faster than the client reads', async () => {
    const size = 64 * 1024 * 1024;
    let sent = 0;
    await using other = await serveHttp((_, answer) => answer.end('ok'));
    await using site = await serveTcp((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
        const chunk = Buffer.alloc(65_536);
        const fill = () => {
          while (sent < size && !socket.destroyed) {
            sent += chunk.length;
            if (!socket.write(chunk)) return;
          }
        };
        socket.on('drain', fill);
        fill();
      });
    });
    await using out = await openProxy({ maxBodyBytes: size });
    const answer = await out.get(site.url);
    await once(answer, 'readable');
    // Time enough for all of it, if nothing held it back.
    for (let i = 0; i < 200; i++) await text(await out.get(other.url));
    assert.ok(sent < size / 2, `${sent}`);
    assert.equal((await buffer(answer)).length, size);
  });
});

describe('tunnels', () => {
  async function serveEcho(): Promise<TestServer> {
    return serveTcp((socket) => socket.pipe(socket));
  }

  test('carry what the client sent before it had an answer', async () => {
    await using site = await serveEcho();
    await using out = await openProxy();
    const { socket, answer } = await out.tunnel(`127.0.0.1:${site.port}`, 'early');
    assert.match(answer, /^HTTP\/1\.1 200 /);
    const rest = answer.split('\r\n\r\n')[1];
    assert.equal(rest === '' ? String((await once(socket, 'data'))[0]) : rest, 'early');
    socket.destroy();
  });

  test('let one side end while the other still sends', async () => {
    const heard = Promise.withResolvers<string>();
    const server = await openHalfOpenServer(heard.resolve);
    await using out = await openProxy();
    const { socket } = await out.tunnel(`127.0.0.1:${server.port}`);
    socket.end('question');
    assert.equal(await heard.promise, 'question');
    assert.equal(await text(socket), 'answer');
    await server.close();
  });

  test('end with the proxy, and with either side', async () => {
    await using site = await serveEcho();
    const out = await openProxy();
    const first = await out.tunnel(`127.0.0.1:${site.port}`);
    first.socket.destroy();
    const second = await out.tunnel(`127.0.0.1:${site.port}`);
    const third = await out.tunnel(`127.0.0.1:${site.port}`);
    const ended = [second, third].map(({ socket }) => once(socket, 'end'));
    const closings = [...site.sockets].map((socket) => once(socket, 'close'));
    await out[Symbol.asyncDispose]();
    await Promise.all([...ended, ...closings]);
    assert.equal(site.sockets.size, 0);
  });

  test('go to a host and a port, and to nothing else', async () => {
    await using out = await openProxy();
    for (const target of ['a@127.0.0.1:80', '127.0.0.1:80/path', '127.0.0.1:99999', '/']) {
      assert.match((await out.tunnel(target)).answer, /^HTTP\/1\.1 400 /, target);
    }
  });
});

async function openHalfOpenServer(onQuestion: (question: string) => void) {
  const { createServer } = await import('node:net');
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    onQuestion(await text(socket));
    socket.end('answer');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { port: address.port, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('what is refused', () => {
  test('is not contacted, gets no answer, and is remembered in the words of the plain fetch', async () => {
    await using site = await serveHttp((_, answer) => answer.end());
    await using out = await openProxy({ allowNetworks: [] });
    await assert.rejects(out.get(site.url), { code: 'ECONNRESET' });
    const refusal = out.refusal(`${site.url}/other`);
    assert.ok(refusal instanceof TrawlError);
    assert.equal(refusal.code, 'SCRAPE_BLOCKED_TARGET');
    assert.match(refusal.message, /^127\.0\.0\.1 is a loopback address/);
    assert.match((await out.tunnel(`127.0.0.1:${site.port}`)).answer, /^HTTP\/1\.1 502 /);
    assert.match((await out.tunnel('[::ffff:127.0.0.1]:443')).answer, /^HTTP\/1\.1 502 /);
    assert.equal(site.connections, 0);
  });

  test('is the host that a policy refuses, in plain requests and in tunnels', async () => {
    await using site = await serveHttp((_, answer) => answer.end('ok'));
    const admit = ({ hostname }: URL) => {
      if (hostname === 'localhost') throw new TrawlError('FORBIDDEN', 'Not there.');
    };
    await using out = await openProxy({ allowNetworks: ['127.0.0.1', '::1'] }, { admit });
    assert.equal(await text(await out.get(site.url)), 'ok');
    const there = `localhost:${site.port}`;
    await assert.rejects(out.get(`http://${there}/`), { code: 'ECONNRESET' });
    assert.equal(out.refusal(`http://${there}/`)?.code, 'FORBIDDEN');
    assert.match((await out.tunnel(there)).answer, /^HTTP\/1\.1 502 /);
    assert.equal(site.connections, 1);
  });

  test('is a name whose address changes to a private one: the socket gets the address that was checked', async () => {
    await using site = await serveHttp((_, answer) => answer.end('ok'));
    let asked = 0;
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    await using out = await openProxy({ resolve });
    const url = `http://rebinding.example:${site.port}/`;
    assert.equal(await text(await out.get(url, { method: 'POST' }, ['body'])), 'ok');
    await assert.rejects(out.get(url, { method: 'POST' }, ['body']), { code: 'ECONNRESET' });
    assert.match(out.refusal(url)?.message ?? '', /rebinding\.example resolves to a loopback address/);
    assert.equal(site.connections, 1);
  });

  test('is this proxy itself, and the proxy of the operator, under each of their names', async () => {
    await using operators = await serveProxy();
    const [, operatorsPort] = operators.address.split(':');
    await using out = await openProxy({ allowNetworks: ['127.0.0.0/8', '::1'] });
    await using chained = await openProxy({ allowNetworks: ['127.0.0.0/8'], proxy: `http://${operators.address}` });
    for (const { port, get, refusal, tunnel } of [out, chained]) {
      for (const own of [out.port, chained.port, operatorsPort]) {
        for (const host of ['127.0.0.1', 'localhost', ...(own === operatorsPort ? [] : ['127.1.2.3'])]) {
          const url = `http://${host}:${own}/`;
          await assert.rejects(get(url), { code: 'ECONNRESET' }, url);
          assert.equal(refusal(url)?.code, 'SCRAPE_BLOCKED_TARGET', `${url} of ${port}`);
          assert.match((await tunnel(`${host}:${own}`)).answer, /^HTTP\/1\.1 502 /);
        }
      }
    }
    assert.deepEqual(operators.requests, []);
  });

  test('says why there is no connection, and forgets it when there is one after all', async () => {
    const gone = await serveHttp((_, answer) => answer.end());
    const url = `${gone.url}/`;
    await gone[Symbol.asyncDispose]();
    await using out = await openProxy();
    await assert.rejects(out.get(url), { code: 'ECONNRESET' });
    assert.match(out.refusal(url)?.message ?? '', /No response from .*: it refuses connections on this port/);
    await using _back = await serveHttp((_, answer) => answer.end('back'), '127.0.0.1', gone.port);
    assert.equal(await text(await out.get(url)), 'back');
    assert.equal(out.refusal(url), undefined);
  });

  test('is an answer that is not HTTP', async () => {
    await using site = await serveBytes('nonsense\r\n\r\n');
    await using out = await openProxy();
    await assert.rejects(out.get(site.url), { code: 'ECONNRESET' });
    assert.equal(out.refusal(site.url)?.code, 'SCRAPE_BAD_RESPONSE');
  });

  test('is everything after the limit of bytes, and what is under way is cut off', async () => {
    await using site = await serveHttp((_, answer) => answer.end(Buffer.alloc(3_000_000)));
    await using out = await openProxy({ maxBodyBytes: 1_000_000 });
    assert.equal((await buffer(await out.get(site.url))).length, 3_000_000);
    await assert.rejects(buffer(await out.get(site.url)), { code: 'ECONNRESET' });
    await assert.rejects(out.get(site.url), { code: 'ECONNRESET' });
    assert.equal(out.refusal(site.url)?.code, 'SCRAPE_PAGE_TOO_LARGE');
    assert.match((await out.tunnel(`127.0.0.1:${site.port}`)).answer, /^HTTP\/1\.1 502 /);
  });
});

describe('behind the proxy of the operator', () => {
  test('plain requests go in absolute form, and tunnels as tunnels, with its password', async () => {
    await using site = await serveHttp((_, answer) => answer.end('seen'));
    await using operators = await serveProxy({ credentials: 'user:pass%20word' });
    const proxy = `http://user:pass%2520word@${operators.address}`;
    await using out = await openProxy({ proxy });
    assert.equal(await text(await out.get(`${site.url}/page`)), 'seen');
    const { socket } = await out.tunnel(`127.0.0.1:${site.port}`);
    socket.destroy();
    assert.deepEqual(operators.requests, [`GET ${site.url}/page`, `CONNECT 127.0.0.1:${site.port}`]);
  });

  test('a refusal of that proxy is no page', async () => {
    await using site = await serveHttp((_, answer) => answer.end('seen'));
    await using operators = await serveProxy({ credentials: 'user:password' });
    await using out = await openProxy({ proxy: `http://${operators.address}` });
    await assert.rejects(out.get(site.url), { code: 'ECONNRESET' });
    assert.match(out.refusal(site.url)?.message ?? '', /TRAWL_PROXY does not accept the user name and password/);
    assert.equal(site.connections, 0);
  });
});
