import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { directConnector } from './connect.ts';
import { createEgressGuard } from './egress/egress-guard.ts';
import { EVERYWHERE } from './operator-service.ts';

/** Time limit for the first byte of a response, and between two chunks of it. */
const SILENCE_MS = 30_000;

export interface ByteRequest {
  url: URL;
  method: 'GET' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body?: Uint8Array | undefined;
  /** Ends the request, and its answer while that is read. */
  signal?: AbortSignal | undefined;
}

export interface ByteAnswer {
  status: number;
  /** Has to be read to its end or destroyed: unread bytes are not received. */
  body: Readable;
}

/** A connection to an object store of the operator. */
export interface ByteService {
  /** Sends bytes, or streams them back. Redirects are not followed: they would forward what was sent. */
  send(request: ByteRequest): Promise<ByteAnswer>;
  /** Ends its connections. */
  close(): Promise<void>;
}

/** @param base the address of the service; nothing is sent to any other origin */
export function byteService(base: string): ByteService {
  const { origin: root } = new URL(base);
  const guard = createEgressGuard(EVERYWHERE);
  const agent = new Agent({
    connect: directConnector(guard, true),
    allowH2: false,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
  });
  return {
    async send({ url, method, headers, body = null, signal = null }) {
      if (url.origin !== root) throw new Error(`${url.href} is not at ${root}.`);
      guard.checkUrl(url);
      const path = url.pathname + url.search;
      const answer = await agent.request({ origin: root, path, method, headers, body, signal });
      return { status: answer.statusCode, body: answer.body };
    },
    close: () => agent.destroy(),
  };
}
