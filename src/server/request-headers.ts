import { requireOneHost } from './public-address.ts';
import { requireStream } from './refused-streams.ts';
import type { App } from './types.ts';
import { unusedConnections } from './unused-connections.ts';

/** Adds the hooks that check and repair the headers of every request, and set those of every response. */
export function addHeaderHooks(app: App): void {
  // The only header that a browser lets a script set on a WebSocket.
  app.addHook('onRequest', async ({ ws, headers }) => {
    const [key] = (ws && headers['sec-websocket-protocol']?.split(',')) || [];
    if (key !== undefined) headers.authorization ??= `Bearer ${key.trim()}`;
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onRequest', requireOneHost);
  app.addHook('onRequest', requireStream);
  // The v1 client of the SDK sends DELETE with a content type but without a body.
  app.addHook('onRequest', async ({ method, headers }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
    if (method === 'DELETE' && !hasBody) delete headers['content-type'];
  });
  // Responses contain documents, and addresses that depend on the headers of the request.
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/** Ends connections that are no longer needed: all when the server closes, and those whose stream was refused. */
export function endConnections(app: App): void {
  // Otherwise a connection that is busy when the server starts closing would be kept alive after its response and delay it.
  let closing = false;
  const closeUnused = unusedConnections(app.server);
  app.addHook('preClose', async () => {
    closing = true;
    closeUnused();
  });
  app.addHook('onSend', async ({ ws }, reply) => {
    if (closing || ws) reply.header('connection', 'close');
  });
  // The headers of a long response may have been sent before the server started closing.
  app.addHook('onResponse', async ({ raw, ws }) => {
    if (closing && !ws) raw.socket.end();
  });
}
