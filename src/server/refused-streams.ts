import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { WebSocket, WebSocketServer } from 'ws';
import { TrawlError } from '../errors.ts';
import { CLOSED, closeSoon, sendError } from './close-socket.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route can be upgraded to a WebSocket. */
    isStream?: boolean;
  }
}

/** Refused sockets in the whole process whose client has not yet answered the close. */
const MAX_CLOSING = 100;

/** An `onRoute` hook: marks the routes with a WebSocket. */
export function markStream(route: RouteOptions): void {
  if (route.wsHandler !== undefined) route.config = { ...route.config, isStream: true };
}

/** Whether a request asks for a stream at a route that has one. */
export function asksForStream({ ws, method, routeOptions }: FastifyRequest): boolean {
  return ws && method === 'GET' && routeOptions.config.isStream === true;
}

/** An `onRequest` hook: refuses an upgrade at any other route. */
export async function requireStream(request: FastifyRequest): Promise<void> {
  if (!request.ws || request.is404 || asksForStream(request)) return;
  throw new TrawlError('NOT_FOUND', `There is no WebSocket at ${request.method} ${request.routeOptions.url}.`);
}

/**
 * Refuses streams inside the WebSocket: the upgrade is accepted, then the client gets an error message and a close. A
 * refusal in HTTP would end the process of a Node 20 client that uses the SDK's watcher: closing a WebSocket that never
 * opened raises its error event again. All checks are done before. Only the socket is held, for at most a second.
 */
export class RefusedStreams {
  readonly #closing = new Set<WebSocket>();

  refuse(server: WebSocketServer, { raw }: FastifyRequest, reply: FastifyReply, { status, message }: TrawlError): void {
    reply.hijack();
    server.handleUpgrade(raw, raw.socket, Buffer.alloc(0), (socket) => {
      this.#makeRoom();
      this.#closing.add(socket);
      socket.once('close', () => this.#closing.delete(socket));
      socket.on('error', () => socket.terminate());
      sendError(socket, message);
      closeSoon(socket, status < 500 ? CLOSED.notAllowed : CLOSED.failed);
    });
  }

  /** Cuts the socket that has waited the longest. */
  #makeRoom(): void {
    const [oldest] = this.#closing;
    if (oldest === undefined || this.#closing.size < MAX_CLOSING) return;
    this.#closing.delete(oldest);
    oldest.terminate();
  }
}
