import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Remembers the connections of a server on which no request has come. Browsers open some in advance, and Node does not
 * count them as idle: a server that closes would wait for them until they run out of time, which is a minute.
 *
 * @returns closes them
 */
export function unusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
