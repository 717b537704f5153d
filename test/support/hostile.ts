import { gzipSync } from 'node:zlib';
import type { Handler } from './site.ts';

/** Ways in which a site can misbehave. Each is a handler for `site.page(path, …)`. */

const PIECE = Buffer.from(`<p>${'more and more '.repeat(20_000)}</p>\n`);

/** A body that never ends. */
export const endlessBody: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const write = () => {
    while (!response.destroyed && response.write(PIECE));
  };
  response.on('drain', write);
  write();
};

/** Takes the request and never answers. */
export const silence: Handler = () => {};

/** Sends the head and the first words, then nothing more. */
export const stallInBody: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.write('<!doctype html><title>Wait</title><p>There is more to');
};

/** A byte now and then, forever. */
export const drip: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const timer = setInterval(() => response.write('.'), 50);
  response.once('close', () => clearInterval(timer));
};

/** Closes the connection before any answer. */
export const hangUp: Handler = (_request, response) => {
  response.socket?.resetAndDestroy();
};

/** Closes the connection in the middle of the body. */
export const hangUpInBody: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' });
  response.write('<!doctype html><title>Cut</title><p>The first words', () => response.socket?.resetAndDestroy());
};

/** Declares more bytes than it sends, then closes normally. */
export const shortOfItsLength: Handler = (_request, response) => {
  response.socket?.end(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<!doctype html><p>The first words.',
  );
};

/** Sends more bytes than it declares. */
export const longerThanItsLength: Handler = (_request, response) => {
  response.socket?.end(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 20\r\n\r\n<p>The first words and what nobody announced.',
  );
};

/** A chunk that declares more than it contains, and no last chunk. */
export const cutChunks: Handler = (_request, response) => {
  response.socket?.end(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n<!doctype html><p>The first words.',
  );
};

/** Truncated compressed data, sent as if complete. */
export const cutGzip: Handler = (_request, response) => {
  const words = Array.from({ length: 5_000 }, (_, index) => `<p>The first words of line ${index}.</p>`).join('');
  const packed = gzipSync(words);
  response
    .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    .end(packed.subarray(0, packed.length / 2));
};

/** Claims to be compressed but is not. */
export const notPacked: Handler = (_request, response) => {
  response
    .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    .end('<!doctype html><p>The first words, as they are.');
};

/** Claims one compression and uses another. */
export const packedOtherwise: Handler = (_request, response) => {
  response
    .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'br' })
    .end(gzipSync('<!doctype html><p>The first words.'.repeat(100)));
};

/** 20 MB compressed to 20 KB. */
export const bomb: Handler = (_request, response) => {
  response
    .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    .end(gzipSync(Buffer.alloc(20 * 1024 * 1024)));
};

/** Headers that never end. */
export const endlessHeaders: Handler = (_request, { socket }) => {
  socket?.write('HTTP/1.1 200 OK\r\n');
  const write = () => {
    while (socket !== null && !socket.destroyed && socket.write(`X-More: ${'and more '.repeat(100)}\r\n`));
  };
  socket?.on('drain', write);
  write();
};

/** Redirects to itself. */
export const circle: Handler = (request, response) => {
  response.writeHead(301, { location: request.url }).end();
};

/** Each address redirects to a new one. */
export const endlessRedirects: Handler = (request, response) => {
  const step = Number(new URL(request.url ?? '/', 'http://site').searchParams.get('step') ?? 0);
  const here = request.url?.replace(/\?.*/, '');
  response.writeHead(302, { location: `${here}?step=${step + 1}` }).end();
};

/** Something that is not HTTP. */
export const notHttp: Handler = (_request, response) => {
  response.socket?.end('220 mail.example ESMTP ready\r\n');
};
