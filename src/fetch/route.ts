import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { type Connector, connectDirectly, createPool, directConnector, type Pool } from './connect.ts';
import type { EgressGuard } from './egress/egress-guard.ts';

/** An outbound request. */
export interface Outgoing {
  url: URL;
  method: 'GET' | 'POST';
  /** A flat list of names and values. */
  headers: string[];
  body?: string;
  verifyTls: boolean;
  /** The party whose request it is. Shares get connections and memory in turn, so that none crowds out the others. */
  share: string;
}

/** A route to a target: direct, or through a proxy. */
export interface Route {
  /** Refuses forbidden targets. Has to be called for every address, also after a redirect. */
  check(url: URL): void | Promise<void>;
  /** @param handler gets the events of the request */
  send(request: Outgoing, handler: Dispatcher.DispatchHandler): void;
  /** Opens a TCP connection to the host and port of the address, for a protocol that the caller speaks. */
  connect(url: URL): Promise<Socket>;
  /** The way of plain HTTP requests that the caller sends itself. */
  readonly plainHttp: PlainHttp;
  /** Refuses a response that comes from the proxy and not from the target. */
  checkAnswer?(url: URL, status: number): void;
  close(): Promise<void>;
}

/** How plain HTTP requests reach their target, or the proxy that takes them there. */
export interface PlainHttp {
  /** Opens the TCP connection for requests to the origin of the address. */
  connect(url: URL): Promise<Socket>;
  /** What stands in the request line: a path, or for a proxy the whole address. */
  target(url: URL): string;
  /** What each request needs besides its own headers: a flat list of names and values. */
  readonly headers: readonly string[];
}

/** Directly to the target. */
export function directRoute(guard: EgressGuard): Route {
  const pools = poolsByTls((verifyTls) => directConnector(guard, verifyTls));
  const connect = (url: URL) => connectDirectly(guard, url);
  return {
    check: guard.checkUrl,
    send({ url, method, headers, body = null, verifyTls }, handler) {
      pools.of(url, verifyTls).dispatch({ origin: url.origin, path: pathOf(url), method, headers, body }, handler);
    },
    connect,
    plainHttp: { connect, target: pathOf, headers: [] },
    close: pools.close,
  };
}

/** Connections without certificate verification are never used for a request that requires it. */
export function poolsByTls(connector: (verifyTls: boolean) => Connector): {
  of(url: URL, verifyTls: boolean): Pool;
  close(): Promise<void>;
} {
  const checked = createPool(connector(true));
  const unchecked = createPool(connector(false));
  return {
    of: (url, verifyTls) => (verifyTls || url.protocol === 'http:' ? checked : unchecked),
    async close() {
      await Promise.all([checked.destroy(), unchecked.destroy()]);
    },
  };
}

export function pathOf(url: URL): string {
  return url.pathname + url.search;
}
