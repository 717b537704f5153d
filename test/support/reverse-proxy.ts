import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../../src/fetch/testing/certificate.ts';
import { portOf } from './site.ts';

export interface ReverseProxy extends AsyncDisposable {
  /** Its public address, with the path prefix and without a trailing slash. */
  address: string;
}

interface ReverseProxyOptions {
  /** The address of the service behind it. */
  target: string;
  /** The prefix stripped from the path of each request, for example `/tools/trawl`. */
  prefix: string;
  /** Whether it sends X-Forwarded headers, as Traefik and Caddy do. */
  tellsOfItself?: boolean;
}

/**
 * A reverse proxy that terminates TLS and strips a path prefix, for requests and WebSockets. This process trusts its
 * certificate.
 */
export async function startReverseProxy(options: ReverseProxyOptions): Promise<ReverseProxy> {
  const { target, prefix, tellsOfItself = true } = options;
  const certificate = selfSigned(['localhost']);
  setDefaultCACertificates([...getCACertificates(), certificate.cert]);

  const forward = (incoming: IncomingMessage) => {
    const { method, url = '', headers, socket } = incoming;
    const told = {
      'x-forwarded-for': socket.remoteAddress,
      'x-forwarded-host': headers.host,
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': prefix,
    };
    const path = url.slice(prefix.length) || '/';
    const outgoing = {
      method,
      path,
      headers: { ...headers, host: new URL(target).host, ...(tellsOfItself ? told : {}) },
    };
    return incoming.pipe(request(target, outgoing));
  };
  const server = createServer(certificate, (incoming: IncomingMessage, answer: ServerResponse) => {
    if (!incoming.url?.startsWith(prefix)) return answer.writeHead(404).end();
    forward(incoming).on('response', (response) => {
      response.pipe(answer.writeHead(response.statusCode ?? 502, response.rawHeaders));
    });
  });
  server.on('upgrade', (incoming: IncomingMessage, client: Duplex) => {
    forward(incoming).on('upgrade', ({ rawHeaders }, service) => {
      const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      service.pipe(client).pipe(service);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    address: `https://localhost:${portOf(server)}${prefix}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
