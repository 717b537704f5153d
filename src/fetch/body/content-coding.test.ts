import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import { testFetcher, trawlError } from '../testing/fetching.ts';
import { serveBytes, serveHttp } from '../testing/servers.ts';
import { decodeContent } from './content-coding.ts';

const MB = 1024 * 1024;
/** Repeats little, so that half of the compressed data is about half of the text. */
const TEXT = Array.from({ length: 20_000 }, (_, i) => `line ${(i * 2654435761) % 1_000_003} of the page`).join('\n');
const PAGE = Buffer.from(TEXT);

const CODERS: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  gzip: (data) => zlib.gzipSync(data),
  'x-gzip': (data) => zlib.gzipSync(data),
  deflate: (data) => zlib.deflateSync(data),
  br: (data) => zlib.brotliCompressSync(data, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (data) => zlib.zstdCompressSync(data),
};

function decode(body: Buffer, contentEncoding: string, maxBytes = MB, cutShort = false) {
  return decodeContent({ body, cutShort }, contentEncoding, {
    maxBytes,
    share: 'test',
    signal: new AbortController().signal,
  });
}

describe('content codings', () => {
  for (const [coding, encode] of Object.entries(CODERS)) {
    test(`${coding} is decoded`, async () => {
      assert.deepEqual(await decode(encode(PAGE), coding), { body: PAGE, cutShort: false });
    });

    for (const rest of ['<!-- appended \0 -->', 'x', '\0', '\n\n']) {
      test(`${coding} with ${JSON.stringify(rest)} after its end yields the complete body before it`, async () => {
        const data = Buffer.concat([encode(PAGE), Buffer.from(rest)]);
        assert.deepEqual(await decode(data, coding), { body: PAGE, cutShort: false });
      });
    }

    test(`${coding} on text that is not compressed is ignored`, async () => {
      const plain = Buffer.from('<!doctype html><p>not packed');
      assert.deepEqual(await decode(plain, coding), { body: plain, cutShort: false });
    });

    test(`${coding} over the limit is refused`, async () => {
      await assert.rejects(
        decode(encode(PAGE), coding, PAGE.length - 1),
        trawlError('SCRAPE_PAGE_TOO_LARGE', /decompresses to more than \d+ MB/),
      );
      assert.equal((await decode(encode(PAGE), coding, PAGE.length)).body.length, PAGE.length);
    });

    test(`${coding} of an empty body yields an empty body`, async () => {
      assert.equal((await decode(Buffer.alloc(0), coding)).body.length, 0);
    });

    test(`${coding} with damaged data is a bad response`, async () => {
      const data = encode(PAGE);
      data.fill(0xff, 20, 200);
      await assert.rejects(decode(data, coding), trawlError('SCRAPE_BAD_RESPONSE', /data is damaged/));
    });

    test(`${coding} that is truncated yields the part that arrived`, async () => {
      const data = encode(PAGE);
      const { body, cutShort } = await decode(data.subarray(0, data.length * 0.7), coding);
      assert.equal(cutShort, true);
      assert.ok(body.length > PAGE.length / 4, `${body.length} bytes`);
      assert.ok(PAGE.subarray(0, body.length).equals(body));
    });
  }

  test('deflate without a zlib header is decoded', async () => {
    assert.deepEqual((await decode(zlib.deflateRawSync(PAGE), 'deflate')).body, PAGE);
  });

  test('gzip with several members is decoded', async () => {
    const data = Buffer.concat([zlib.gzipSync(PAGE), zlib.gzipSync(PAGE)]);
    assert.deepEqual((await decode(data, 'gzip', 2 * MB)).body, Buffer.concat([PAGE, PAGE]));
  });

  test('gzip with a file name in its header and bytes after its end is decoded', async () => {
    const [header, data] = [zlib.gzipSync(PAGE).subarray(0, 10), zlib.gzipSync(PAGE).subarray(10)];
    header.writeUInt8(4 | 8 | 16 | 2, 3);
    const fields = Buffer.from('\x03\0abcname.html\0comment\0\x12\x34', 'latin1');
    const named = Buffer.concat([header, fields, data, Buffer.from('\0\0trailing')]);
    assert.deepEqual((await decode(named, 'gzip')).body, PAGE);
  });

  test('show whether the body is complete, however the connection ended', async () => {
    const data = zlib.gzipSync(PAGE);
    assert.equal((await decode(data, 'gzip', MB, true)).cutShort, false);
    assert.equal((await decode(data.subarray(0, -20), 'gzip', MB, false)).cutShort, true);
    assert.equal((await decode(PAGE, 'gzip', MB, true)).cutShort, true);
    assert.equal((await decode(PAGE, 'identity', MB, true)).cutShort, true);
  });

  test('in a list are decoded from the last to the first', async () => {
    const data = zlib.zstdCompressSync(zlib.gzipSync(zlib.brotliCompressSync(Buffer.from('page'))));
    assert.equal((await decode(data, 'br, GZIP ,zstd')).body.toString(), 'page');
  });

  test('that are unknown are ignored', async () => {
    for (const coding of ['identity', 'utf-8', 'none', 'compress', '', 'toString', '__proto__']) {
      assert.equal((await decode(Buffer.from('page'), coding)).body.toString(), 'page', coding);
    }
    assert.equal((await decode(zlib.gzipSync('page'), 'gzip, utf-8')).body.toString(), 'page');
  });

  test('are refused if there are more than five', async () => {
    await assert.rejects(
      decode(Buffer.from('page'), Array(6).fill('gzip').join()),
      trawlError('SCRAPE_BAD_RESPONSE', /compressed 6 times over/),
    );
  });

  for (const coding of ['gzip', 'br', 'zstd']) {
    test(`${coding} of a bomb is refused before it is decompressed`, async () => {
      const bomb = CODERS[coding]?.(Buffer.alloc(64 * MB)) ?? Buffer.alloc(0);
      await assert.rejects(
        decode(bomb, coding, 1024 * MB),
        trawlError('SCRAPE_PAGE_TOO_LARGE', /more than 200 times its size, like a decompression bomb/),
      );
    });
  }

  test('that contain a second bomb are refused', async () => {
    const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(64 * MB)));
    await assert.rejects(decode(bomb, 'gzip, gzip', 1024 * MB), trawlError('SCRAPE_PAGE_TOO_LARGE'));
  });

  test('may compress a page of one repeated line a thousandfold', async () => {
    const line = Buffer.alloc(10 * MB, 'a');
    assert.equal((await decode(zlib.gzipSync(line), 'gzip', 50 * MB)).body.length, line.length);
  });
});

describe('a compressed page', () => {
  test('is requested and decoded', async () => {
    await using server = await serveHttp((request, response) => {
      assert.equal(request.headers['accept-encoding'], 'gzip, deflate, br, zstd');
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'br' });
      response.end(zlib.brotliCompressSync('<p>Grüße'));
    });
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, '<p>Grüße');
  });

  test('is refused when it is over the limit as sent', async () => {
    await using server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      response.end(zlib.gzipSync(PAGE));
    });
    await using fetcher = testFetcher({ maxBodyBytes: 1000 });
    await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_PAGE_TOO_LARGE'));
  });

  test('is complete when the connection broke only after it', async () => {
    const data = zlib.gzipSync('<p>all of it');
    await using server = await serveBytes(
      Buffer.concat([
        Buffer.from(
          `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: ${data.length + 99}\r\n\r\n`,
        ),
        data,
      ]),
    );
    await using fetcher = testFetcher();
    const page = await fetcher.get(server.url);
    assert.deepEqual([page.text, page.incomplete], ['<p>all of it', undefined]);
  });

  test('that breaks off is incomplete', async () => {
    const data = zlib.gzipSync(PAGE).subarray(0, 20_000);
    await using server = await serveBytes(
      Buffer.concat([
        Buffer.from(
          `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: ${data.length}\r\n\r\n`,
        ),
        data,
      ]),
    );
    await using fetcher = testFetcher();
    const page = await fetcher.get(server.url);
    assert.equal(page.incomplete, true);
    assert.ok(TEXT.startsWith(page.text ?? 'nothing'));
  });
});
