import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../../src/fetch/testing/certificate.ts';

export interface Reply {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

/** A web site on loopback. Unregistered paths are a 404. */
export interface Site extends AsyncDisposable {
  /** The full address of a path. */
  url(path: string): string;
  /** Registers the answer of a path; a string is an HTML page. Returns the full address. */
  page(path: string, answer: string | Reply | Handler): string;
  /** Every request so far, in order. */
  requests: readonly SeenRequest[];
  /** The number of TCP connections opened so far. */
  connections(): number;
}

/** An HTML document around a body. */
export function html(body: string, head = '<title>A page</title>'): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;
}

/** @param otherwise answers the paths that are not registered */
export function startSite(otherwise: Handler = notFound): Promise<Site> {
  return listen('http', createServer, otherwise);
}

/** A site with a self-signed certificate. */
export function startSelfSignedSite(): Promise<Site> {
  const certificate = selfSigned(['127.0.0.1']);
  return listen('https', (listener) => createTlsServer(certificate, listener));
}

async function listen(
  scheme: string,
  create: (listener: RequestListener) => Server,
  otherwise: Handler = notFound,
): Promise<Site> {
  const pages = new Map<string, Handler>();
  const requests: SeenRequest[] = [];
  let connections = 0;

  const server = create((request, response) => {
    const path = request.url ?? '/';
    requests.push({ method: request.method ?? '', path, headers: request.headers });
    const handler = pages.get(path) ?? pages.get(path.replace(/\?.*/s, '')) ?? otherwise;
    handler(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `${scheme}://127.0.0.1:${portOf(server)}`;

  return {
    requests,
    connections: () => connections,
    url: (path) => origin + path,
    page(path, answer) {
      pages.set(path, replyWith(answer));
      return origin + path;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A handler that gives this answer. */
export function replyWith(answer: string | Reply | Handler): Handler {
  if (typeof answer === 'function') return answer;
  const { status = 200, headers = {}, body = '' } = typeof answer === 'string' ? { body: answer } : answer;
  const type = { 'content-type': 'text/html; charset=utf-8' };
  return (_request, response) => response.writeHead(status, { ...type, ...headers }).end(body);
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/html' }).end(html('<h1>Not found</h1>'));
}

export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
