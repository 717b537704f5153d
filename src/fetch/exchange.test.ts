import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { testFetcher, trawlError } from './testing/fetching.ts';
import { serveBytes, serveHttp, serveTcp } from './testing/servers.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';

/** A server on which request number `n`, counted from 1 over all connections, is answered by `answer`. */
function serveInTurn(answer: (n: number, socket: Socket) => void) {
  let n = 0;
  return serveTcp((socket) => {
    socket.on('data', () => answer(++n, socket));
  });
}

describe('a connection that fails', () => {
  test('because no process listens is reported as refused', async () => {
    const server = await serveHttp(() => {});
    await server[Symbol.asyncDispose]();
    await using fetcher = testFetcher();
    await assert.rejects(
      fetcher.get(server.url),
      trawlError(
        'SCRAPE_CONNECTION_ERROR',
        /^No response from 127\.0\.0\.1:\d+: it refuses connections on this port\.$/,
      ),
    );
  });

  test('before the first byte is retried', async () => {
    await using server = await serveInTurn((n, socket) => {
      if (n < 3) socket.destroy();
      else socket.end(`${OK}Content-Length: 4\r\n\r\npage`);
    });
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, 'page');
    assert.equal(server.connections, 3);
  });

  test('before the first byte each time is an error after three attempts', async () => {
    await using server = await serveInTurn((_n, socket) => socket.resetAndDestroy());
    await using fetcher = testFetcher();
    await assert.rejects(
      fetcher.get(server.url),
      trawlError('SCRAPE_CONNECTION_ERROR', /it closed the connection without a response/),
    );
    assert.equal(server.connections, 3);
  });

  test('because the server closed it while idle goes unnoticed', async () => {
    await using server = await serveInTurn((n, socket) => {
      if (n === 2) socket.destroy();
      else socket.write(`${OK}Content-Length: 4\r\n\r\npage`);
    });
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, 'page');
    assert.equal((await fetcher.get(server.url)).text, 'page');
  });

  test('after the first byte is not retried', async () => {
    await using server = await serveBytes('HTTP/1.1 200 OK\r\nContent-');
    await using fetcher = testFetcher();
    await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_CONNECTION_ERROR'));
    assert.equal(server.connections, 1);
  });

  test('after the headers is an error', async () => {
    for (const framing of [
      'Content-Length: 10\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\n',
      'Connection: close\r\nContent-Length: 10\r\n\r\n',
    ]) {
      await using server = await serveBytes(OK + framing);
      await using fetcher = testFetcher();
      await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_CONNECTION_ERROR'), framing);
    }
  });
});

describe('a body that breaks off', () => {
  const broken = [
    'Content-Length: 100\r\n\r\n<p>half',
    'Connection: close\r\nContent-Length: 100\r\n\r\n<p>half',
    'Transfer-Encoding: chunked\r\n\r\n7\r\n<p>half\r\n',
    'Transfer-Encoding: chunked\r\n\r\n7\r\n<p>half\r\nnonsense',
  ];
  for (const rest of broken) {
    test(`is an incomplete page: ${JSON.stringify(rest)}`, async () => {
      await using server = await serveBytes(OK + rest);
      await using fetcher = testFetcher();
      const page = await fetcher.get(server.url);
      assert.deepEqual([page.text, page.incomplete], ['<p>half', true]);
    });
  }

  test('is an error when it is not text', async () => {
    await using server = await serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n%PDF-1.7 ...');
    await using fetcher = testFetcher();
    await assert.rejects(
      fetcher.get(server.url),
      trawlError('SCRAPE_CONNECTION_ERROR', /closed the connection after 12 bytes, before the end of the file/),
    );
  });

  test('without a declared length is complete', async () => {
    await using server = await serveBytes(`${OK}\r\n<p>to the end`);
    await using fetcher = testFetcher();
    const page = await fetcher.get(server.url);
    assert.deepEqual([page.text, page.incomplete], ['<p>to the end', undefined]);
  });
});

describe('a lying server', () => {
  test('that sends more than it declares yields the declared part', async () => {
    await using server = await serveBytes(`${OK}Content-Length: 4\r\n\r\npage and more`);
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, 'page');
    assert.equal((await fetcher.get(server.url)).text, 'page');
  });

  test('that declares two lengths is refused', async () => {
    await using server = await serveBytes(`${OK}Content-Length: 4\r\nContent-Length: 5\r\n\r\npage!`);
    await using fetcher = testFetcher();
    await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_BAD_RESPONSE'));
  });

  test('that declares a length and chunks is refused', async () => {
    await using server = await serveBytes(
      `${OK}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n`,
    );
    await using fetcher = testFetcher();
    await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_BAD_RESPONSE'));
  });

  for (const answer of [
    'SSH-2.0-OpenSSH_9.2\r\n',
    '220 mail ESMTP\r\n',
    '<html>no headers</html>',
    '\0\x01\x02\x03',
    'HTTP/1.1 abc OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nBad Header\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX-Bad: a\0b\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
  ]) {
    test(`that does not speak HTTP is refused: ${JSON.stringify(answer)}`, async () => {
      await using server = await serveBytes(answer);
      await using fetcher = testFetcher();
      await assert.rejects(
        fetcher.get(server.url),
        trawlError('SCRAPE_BAD_RESPONSE', /cannot be read: it is not HTTP/),
      );
      assert.equal(server.connections, 1);
    });
  }

  test('that sends a header called __proto__ does no harm', async () => {
    await using server = await serveBytes(`${OK}__proto__: x\r\nconstructor: y\r\nContent-Length: 2\r\n\r\nok`);
    await using fetcher = testFetcher();
    const page = await fetcher.get(server.url);
    assert.equal(page.headers.constructor, 'y');
    assert.equal(page.text, 'ok');
  });

  test('that sends unsolicited responses does not affect the next page', async () => {
    const answer = (text: string) => `${OK}Content-Length: ${text.length}\r\n\r\n${text}`;
    await using server = await serveInTurn((n, socket) => {
      socket.write(n === 1 ? answer('one') + answer('poison') : answer('two'));
    });
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, 'one');
    assert.equal((await fetcher.get(server.url)).text, 'two');
  });
});
