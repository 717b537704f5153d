import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { EgressProxy } from '../types.ts';

/** Opens the connection for an address, or throws to refuse it. */
export type OpenConnection = (url: URL) => Promise<Socket>;

/** An HTTP proxy on loopback (RFC 9110 section 9.3.6 for tunnels, RFC 9112 section 3.2.2 for plain requests). */
export async function startEgressProxy(open: OpenConnection): Promise<EgressProxy> {
  const tunnels = new Set<Duplex>();
  const server = createServer((request, response) => void forward(open, request, response));
  server.on('connect', (request, socket, head) => void tunnel(open, request, socket, head, tunnels));
  server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of tunnels) socket.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function tunnel(
  open: OpenConnection,
  { url: target }: IncomingMessage,
  client: Duplex,
  head: Buffer,
  tunnels: Set<Duplex>,
): Promise<void> {
  tunnels.add(client);
  client.on('error', () => client.destroy());
  client.once('close', () => tunnels.delete(client));
  const url = URL.parse(`https://${target}`);
  try {
    if (url === null) throw new Error('not an address');
    const server = await open(url);
    if (client.destroyed) {
      server.destroy();
      return;
    }
    server.on('error', () => client.destroy());
    client.once('close', () => server.destroy());
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.write(head);
    server.pipe(client).pipe(server);
  } catch {
    client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  }
}

async function forward(open: OpenConnection, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = URL.parse(request.url ?? '');
  try {
    if (url === null || url.protocol !== 'http:') throw new Error('not an http address');
    const socket = await open(url);
    const { 'proxy-connection': _proxy, ...headers } = request.headers;
    const outgoing = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: url.pathname + url.search,
      headers: { ...headers, connection: 'close' },
    });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.once('close', () => outgoing.destroy());
    request.pipe(outgoing);
  } catch {
    response.writeHead(403, { connection: 'close' }).end();
  }
}
