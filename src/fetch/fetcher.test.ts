import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError } from '../config.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { createFetcher } from './fetcher.ts';
import { testFetcher, trawlError } from './testing/fetching.ts';
import { serveBytes, serveHttp, serveTcp } from './testing/servers.ts';

const PAGE = '<!doctype html><title>Page</title><p>Grüße aus der Küche</p>';

describe('a fetch', () => {
  test('returns status, headers, type, bytes and text of a page', async () => {
    await using server = await serveHttp((_request, response) => {
      response.writeHead(404, {
        'Content-Type': 'text/html; charset=utf-8',
        'X-Twice': ['a', 'b'],
        'Set-Cookie': 'a=1',
      });
      response.end(PAGE);
    });
    await using fetcher = testFetcher();
    const page = await fetcher.get(`${server.url}/path?q=1#part`);
    assert.equal(page.url, `${server.url}/path?q=1#part`);
    assert.equal(page.status, 404);
    assert.equal(page.contentType, 'text/html');
    assert.equal(page.text, PAGE);
    assert.deepEqual(page.body, Buffer.from(PAGE));
    assert.equal(page.headers['x-twice'], 'a, b');
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal('set-cookie' in page.headers, false);
    assert.equal(page.proxyUsed, 'basic');
    assert.equal('incomplete' in page, false);
  });

  test('sends path and query, but neither fragment nor user name', async () => {
    const asked: unknown[] = [];
    await using server = await serveHttp((request, response) => {
      asked.push(request.method, request.url, request.headers.host, request.headers.authorization);
      response.end('ok');
    });
    await using fetcher = testFetcher();
    const page = await fetcher.get(`http://user:secret@127.0.0.1:${server.port}/a%20b/?x=%C3%BC#f`);
    assert.deepEqual(asked, ['GET', '/a%20b/?x=%C3%BC', `127.0.0.1:${server.port}`, undefined]);
    assert.equal(page.url, `${server.url}/a%20b/?x=%C3%BC#f`);
  });

  test('returns no text for a page that is not text', async () => {
    await using server = await serveHttp((_request, response) => {
      response.end(Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'));
    });
    await using fetcher = testFetcher();
    const page = await fetcher.get(server.url);
    assert.equal(page.contentType, 'image/png');
    assert.equal(page.text, undefined);
  });

  test('returns an empty page as empty', async () => {
    await using server = await serveHttp((_request, response) => response.writeHead(204).end());
    await using fetcher = testFetcher();
    const page = await fetcher.get(server.url);
    assert.deepEqual([page.status, page.body.length, page.text], [204, 0, '']);
  });

  test('keeps connections for further pages', async () => {
    await using server = await serveHttp((_request, response) => response.end(PAGE));
    await using fetcher = testFetcher();
    for (let i = 0; i < 10; i++) await fetcher.get(server.url);
    // undici frees a connection one turn of the event loop after the answer, when the next page already has another.
    assert.equal(server.connections, 2);
  });

  test('ignores early hints', async () => {
    await using server = await serveBytes(
      'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage',
    );
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, 'page');
  });

  test('refuses an invalid address', async () => {
    await using fetcher = testFetcher();
    await assert.rejects(
      fetcher.get('not an address'),
      trawlError('BAD_REQUEST', /"not an address" is not a valid address/),
    );
    await assert.rejects(fetcher.get('file:///etc/passwd'), trawlError('SCRAPE_BLOCKED_TARGET', /not "file:"/));
  });
});

describe('limits of a fetch', () => {
  test('refuse a body that declares too large a length, before it arrives', async () => {
    await using server = await serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n', { end: false });
    await using fetcher = testFetcher();
    await assert.rejects(
      fetcher.get(server.url),
      trawlError('SCRAPE_PAGE_TOO_LARGE', /larger than 1 MB.*TRAWL_MAX_PAGE_MB/),
    );
  });

  test('stop a body that never ends, and close its connection', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await serveHttp((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more).on('close', closed.resolve);
      more();
    });
    await using fetcher = testFetcher();
    await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_PAGE_TOO_LARGE'));
    await closed.promise;
  });

  test('accept a body of exactly the maximum size', async () => {
    await using server = await serveHttp((_request, response) => response.end('x'.repeat(1000)));
    await using fetcher = testFetcher({ maxBodyBytes: 1000 });
    assert.equal((await fetcher.get(server.url)).body.length, 1000);
    await using smaller = testFetcher({ maxBodyBytes: 999 });
    await assert.rejects(smaller.get(server.url), trawlError('SCRAPE_PAGE_TOO_LARGE'));
  });

  test('stop headers that never end', async () => {
    await using server = await serveTcp((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const line = `X-Filler: ${'x'.repeat(1000)}\r\n`;
        const more = () => {
          while (!socket.destroyed && socket.write(line));
        };
        socket.on('drain', more);
        more();
      });
    });
    await using fetcher = testFetcher();
    await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_BAD_RESPONSE', /headers are over 64 KB/));
  });

  test('accept headers of 60 KB', async () => {
    await using server = await serveBytes(
      `HTTP/1.1 200 OK\r\nX-Filler: ${'x'.repeat(60_000)}\r\nContent-Length: 2\r\n\r\nok`,
    );
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, 'ok');
  });
});

describe('the deadline of a fetch', () => {
  /** Fetches with a deadline that expires as soon as the server has sent its part. */
  async function fetchUntil(send: (write: (text: string) => void) => void): Promise<{ error: unknown; open: number }> {
    const cancel = new AbortController();
    const closed = Promise.withResolvers<void>();
    await using server = await serveTcp((socket) => {
      socket.on('close', () => closed.resolve());
      socket.once('data', () => {
        send((text) => socket.write(text));
        setImmediate(() => cancel.abort(new TrawlError('SCRAPE_TIMEOUT', 'The time is over')));
      });
    });
    await using fetcher = testFetcher();
    using deadline = new Deadline(10_000, cancel.signal);
    const error = await fetcher.get(server.url, { deadline }).catch((reason: unknown) => reason);
    await closed.promise;
    return { error, open: server.sockets.size };
  }

  test('ends a fetch from a silent server with its own error', async () => {
    const { error, open } = await fetchUntil(() => {});
    assert.ok(trawlError('SCRAPE_TIMEOUT', /^The time is over$/)(error));
    assert.equal(open, 0);
  });

  test('ends a fetch from a server that drips its headers', async () => {
    const { error } = await fetchUntil((write) => write('HTTP/1.1 200 OK\r\nX-Drip: a'));
    assert.ok(trawlError('SCRAPE_TIMEOUT', /^The time is over$/)(error));
  });

  test('ends a fetch from a server that drips its body', async () => {
    const { error } = await fetchUntil((write) => write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<p>drip'));
    assert.ok(trawlError('SCRAPE_TIMEOUT', /^The time is over$/)(error));
  });

  test('ends a fetch from a server that drips the body of a redirect', async () => {
    const { error } = await fetchUntil((write) =>
      write('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 100\r\n\r\ndrip'),
    );
    assert.ok(trawlError('SCRAPE_TIMEOUT', /^The time is over$/)(error));
  });

  test('prevents any request if it has already expired', async () => {
    await using server = await serveHttp((_request, response) => response.end());
    await using fetcher = testFetcher();
    using deadline = new Deadline(10_000, AbortSignal.abort(new TrawlError('SCRAPE_TIMEOUT', 'Too late')));
    await assert.rejects(fetcher.get(server.url, { deadline }), trawlError('SCRAPE_TIMEOUT', /^Too late$/));
    assert.equal(server.connections, 0);
  });

  test('does not affect other fetches on the same host', async () => {
    const cancel = new AbortController();
    await using server = await serveHttp((request, response) => {
      if (request.url === '/slow') cancel.abort(new Error('gone'));
      else response.end(PAGE);
    });
    await using fetcher = testFetcher();
    using deadline = new Deadline(10_000, cancel.signal);
    const slow = assert.rejects(fetcher.get(`${server.url}/slow`, { deadline }), /gone/);
    const pages = await Promise.all([fetcher.get(server.url), fetcher.get(server.url)]);
    await slow;
    assert.deepEqual(
      pages.map((page) => page.text),
      [PAGE, PAGE],
    );
  });
});

describe('a fetcher', () => {
  test('ends its connections when it is closed, including those in use', async () => {
    const asked = Promise.withResolvers<void>();
    await using server = await serveHttp(() => asked.resolve());
    const fetcher = testFetcher();
    const running = assert.rejects(fetcher.get(server.url), trawlError('SHUTTING_DOWN'));
    await asked.promise;
    await fetcher.close();
    await running;
  });

  test('does not start with invalid settings', () => {
    const options = { allowNetworks: [], maxBodyBytes: 1 };
    assert.throws(() => createFetcher({ ...options, allowNetworks: ['10.0.0.0/99'] }), ConfigError);
    assert.throws(
      () => createFetcher({ ...options, proxy: 'socks5://127.0.0.1' }),
      /TRAWL_PROXY must be the http or https/,
    );
    assert.throws(() => createFetcher({ ...options, enhancedProxy: 'x' }), /TRAWL_PROXY_ENHANCED must be/);
  });
});
