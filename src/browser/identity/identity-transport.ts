import type { ConnectOverCDPTransport } from 'playwright-core';
import { userAgentFor } from './user-agent.ts';

/**
 * Completes what the driver tells Chromium about its identity. The driver tells it every page, frame, worker and pop-up before
 * their first script, but without brands, so that headless Chromium names itself, and with one language. Completing its
 * messages on their way costs no round trip; telling it again would come too late for workers and pop-ups.
 */
export class IdentityTransport implements ConnectOverCDPTransport {
  readonly #inner: ConnectOverCDPTransport;
  /** The version of Chromium. Set when it is known, before there is a context. */
  version: string | undefined;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;

  constructor(inner: ConnectOverCDPTransport) {
    this.#inner = inner;
    inner.onmessage = (message) => this.onmessage?.(message);
    inner.onclose = (reason) => this.onclose?.(reason);
  }

  send(message: object): void {
    this.#inner.send(this.version === undefined ? message : identified(message, this.version));
  }

  close(): void {
    this.#inner.close();
  }
}

function identified(message: object, version: string): object {
  if (!('method' in message && 'params' in message)) return message;
  const { method, params } = message;
  if (typeof params !== 'object' || params === null) return message;
  if (method === 'Emulation.setUserAgentOverride' && 'userAgent' in params) {
    const { metadata } = userAgentFor(version, / Mobile /.test(String(params.userAgent)));
    return { ...message, params: { ...params, userAgentMetadata: metadata } };
  }
  // A context has one locale for the driver; it is given all languages of the user, for the header.
  if (method === 'Emulation.setLocaleOverride' && 'locale' in params) {
    return { ...message, params: { ...params, locale: String(params.locale).split(',', 1)[0] } };
  }
  return message;
}
