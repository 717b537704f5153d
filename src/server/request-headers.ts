import { requireOneHost } from './public-address.ts';
import { requireStream } from './refused-streams.ts';
import type { App } from './types.ts';
import { unusedConnections } from './unused-connections.ts';

/** Adds what every request and every answer has: what is refused or made up for in headers, and what is said in them. */
export function addHeaderHooks(app: App): void {
  // Browsers can give a WebSocket no header but this.
  app.addHook('onRequest', async ({ ws, headers }) => {
    const [key] = (ws && headers['sec-websocket-protocol']?.split(',')) || [];
    if (key !== undefined) headers.authorization ??= `Bearer ${key.trim()}`;
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onRequest', requireOneHost);
  app.addHook('onRequest', requireStream);
  // The v1 client of the SDK sends DELETE with the type of a body and without the body.
  app.addHook('onRequest', async ({ method, headers }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
    if (method === 'DELETE' && !hasBody) delete headers['content-type'];
  });
  // Answers hold documents, and addresses that follow what the request said of itself.
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/** Ends connections that nobody needs: all when the server closes, and those that asked for a stream and were refused. */
export function endConnections(app: App): void {
  // A connection that was busy when the server began to close would be kept alive after its answer, and the close waits.
  let closing = false;
  const closeUnused = unusedConnections(app.server);
  app.addHook('preClose', async () => {
    closing = true;
    closeUnused();
  });
  app.addHook('onSend', async ({ ws }, reply) => {
    if (closing || ws) reply.header('connection', 'close');
  });
  // The headers of a long answer may have gone out before.
  app.addHook('onResponse', async ({ raw, ws }) => {
    if (closing && !ws) raw.socket.end();
  });
}
