import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { directConnector } from './connect.ts';
import { createEgressGuard } from './egress/egress-guard.ts';
import { EVERYWHERE } from './operator-service.ts';

/** Before the first byte of an answer, and between two pieces of it. */
const SILENCE_MS = 30_000;

export interface ByteRequest {
  url: URL;
  method: 'GET' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body?: Uint8Array | undefined;
}

export interface ByteAnswer {
  status: number;
  /** To be read to its end or destroyed. What nobody reads is not received. */
  body: Readable;
}

/** The way to a service of the operator that keeps bytes. */
export interface ByteService {
  /** Sends bytes, or gets them as they come. Redirects are not followed: what is sent would go along. */
  send(request: ByteRequest): Promise<ByteAnswer>;
  /** Ends its connections. */
  close(): Promise<void>;
}

/** @param base where the service is; nothing is sent elsewhere */
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
    async send({ url, method, headers, body = null }) {
      if (url.origin !== root) throw new Error(`${url.href} is not at ${root}.`);
      guard.checkUrl(url);
      const path = url.pathname + url.search;
      const answer = await agent.request({ origin: root, path, method, headers, body });
      return { status: answer.statusCode, body: answer.body };
    },
    close: () => agent.destroy(),
  };
}
