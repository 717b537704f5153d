import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { MAX_HEADER_BYTES } from '../connect.ts';
import { ownEndpoints } from '../egress/own-endpoints.ts';
import type { EgressProxy } from '../types.ts';
import { Exit, type ExitOptions } from './exit.ts';
import { forward } from './forward.ts';
import { PlainAgents } from './plain-agents.ts';
import { tunnel } from './tunnel.ts';

/** Chromium opens at most 32 to a proxy, and as many for WebSockets. */
const MOST_CLIENTS = 128;

/** An HTTP proxy on loopback for one browser context. */
export async function startEgressProxy(options: ExitOptions): Promise<EgressProxy> {
  const exit = new Exit(options);
  const agents = new PlainAgents(exit);
  const tunnels = new Set<Duplex>();
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, noDelay: true, keepAliveTimeout: 60_000 });
  server.maxConnections = MOST_CLIENTS;
  server.on('request', (request, response) => void forward(exit, agents, request, response));
  // The target decides whether the client may go on, not this proxy.
  server.on('checkContinue', (request, response) => void forward(exit, agents, request, response));
  server.on('connect', ({ url = '' }, client, head) => {
    tunnels.add(client);
    client.once('close', () => tunnels.delete(client));
    void tunnel(exit, url, client, head);
  });
  server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const { port } = server.address() as AddressInfo;
  const own = ownEndpoints.listening(port);
  return {
    address: `http://127.0.0.1:${port}`,
    refusal: (url) => exit.refusals.of(url),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const client of tunnels) client.destroy();
      server.closeAllConnections();
      agents.destroy();
      exit.close();
      await closed;
      own[Symbol.dispose]();
    },
  };
}
