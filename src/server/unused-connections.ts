import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks the connections of a server that have not carried a request. Browsers open some in advance, and Node does not
 * count them as idle: a closing server would wait a minute for them to time out.
 * @returns a function that closes them
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
