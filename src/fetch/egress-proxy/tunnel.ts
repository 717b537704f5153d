import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Exit } from './exit.ts';

/** WebSockets and event streams are silent for minutes; what is silent for longer is forgotten. */
const IDLE_MS = 300_000;

/**
 * Answers CONNECT (RFC 9110 section 9.3.6). WebSockets come this way too, those without TLS included (RFC 6455 section
 * 4.1).
 * @param target `host:port`
 * @param head what the client has sent already
 */
export async function tunnel(exit: Exit, target: string, client: Duplex, head: Buffer): Promise<void> {
  client.on('error', () => client.destroy());
  const url = /[/?#@\\]/.test(target) ? null : URL.parse(`https://${target}`);
  if (url === null) {
    client.end(`HTTP/1.1 400 Bad Request\r\n${EMPTY}`);
    return;
  }
  let server: Socket;
  try {
    server = await exit.openTunnel(url);
  } catch (error) {
    exit.refuse(url, error);
    client.end(`HTTP/1.1 502 Bad Gateway\r\n${EMPTY}`);
    return;
  }
  server.on('error', () => client.destroy());
  server.once('close', () => client.destroy());
  client.once('close', () => server.destroy());
  if (client.destroyed) {
    server.destroy();
    return;
  }
  exit.refusals.clear(url);
  server.setTimeout(IDLE_MS, () => server.destroy());
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) client.unshift(head);
  const count = ({ length }: Buffer) => exit.traffic.add(length);
  client.on('data', count).pipe(server);
  server.on('data', count).pipe(client);
}

const EMPTY = 'Content-Length: 0\r\nConnection: close\r\n\r\n';
