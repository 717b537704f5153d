import type { Handler } from './site.ts';

/** Ways in which a site misbehaves: each is a handler for `site.page(path, …)`. */

const PIECE = Buffer.from(`<p>${'more and more '.repeat(1000)}</p>\n`);

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

/** Ends the connection before any answer. */
export const hangUp: Handler = (_request, response) => {
  response.socket?.resetAndDestroy();
};

/** Ends the connection in the middle of the body. */
export const hangUpInBody: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' });
  response.write('<!doctype html><title>Cut</title><p>The first words', () => response.socket?.resetAndDestroy());
};

/** Promises more bytes than it sends, then closes as if all were well. */
export const shortOfItsLength: Handler = (_request, response) => {
  response.socket?.end(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<!doctype html><p>The first words.',
  );
};

/** Each address leads to one that was never seen. */
export const endlessRedirects: Handler = (request, response) => {
  const step = Number(new URL(request.url ?? '/', 'http://site').searchParams.get('step') ?? 0);
  const here = request.url?.replace(/\?.*/, '');
  response.writeHead(302, { location: `${here}?step=${step + 1}` }).end();
};

/** Something that is not HTTP. */
export const notHttp: Handler = (_request, response) => {
  response.socket?.end('220 mail.example ESMTP ready\r\n');
};
