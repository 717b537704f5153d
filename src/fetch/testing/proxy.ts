import { createServer, request as httpRequest } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { Certificate } from './certificate.ts';
import { listen } from './servers.ts';

export interface TestProxy extends AsyncDisposable {
  /** `host:port`. */
  address: string;
  /** The request lines it got, such as `CONNECT example.test:443`. */
  requests: string[];
}

/**
 * An HTTP proxy on loopback: absolute-form requests and tunnels.
 *
 * @param options.credentials `user:password` that it asks for
 * @param options.certificate makes it a proxy that is reached over TLS
 * @param options.route where a target such as `example.test:443` is really to be found; undefined: refused with 502
 */
export async function serveProxy(
  options: { credentials?: string; route?: (target: string) => string | undefined; certificate?: Certificate } = {},
): Promise<TestProxy> {
  const { credentials, certificate, route = (target) => target } = options;
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const requests: string[] = [];
  const server = certificate === undefined ? createServer() : createSecureServer(certificate);
  server.on('request', (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.headers['proxy-authorization'] !== expected) {
      response.writeHead(407).end();
      return;
    }
    const url = new URL(request.url ?? '');
    const target = route(`${url.hostname}:${url.port || 80}`);
    if (target === undefined) {
      response.writeHead(502).end();
      return;
    }
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const [host, port] = target.split(':');
    httpRequest({ host, port, path: url.pathname + url.search, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    })
      .on('error', () => response.destroy())
      .end();
  });
  server.on('connect', (request, client) => {
    requests.push(`CONNECT ${request.url}`);
    client.on('error', () => {});
    if (request.headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const target = route(request.url ?? '');
    if (target === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const [host = '', port] = target.split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  const { port, [Symbol.asyncDispose]: dispose } = await listen(server, 'http', '127.0.0.1', 0);
  return { address: `127.0.0.1:${port}`, requests, [Symbol.asyncDispose]: dispose };
}
