import { constants } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { CONNECTIONS_PER_ORIGIN } from './connections.ts';
import { bareHost, type EgressGuard } from './egress/egress-guard.ts';
import { portOf } from './port-of.ts';

export type Connector = buildConnector.connector;

/** Below the request's own limit (60 s by default), so that the error names a silent host. */
export const CONNECT_TIMEOUT_MS = 10_000;

const IDLE_MS = 4_000;
/** A server may ask for more idle time with `Keep-Alive: timeout=…`, up to this. */
const IDLE_MAX_MS = 30_000;
/** With this many connections open (a crawl of many hosts), further ones are closed after their request. */
const OPEN_CONNECTIONS_KEPT = 512;
/** Node's 16 KB is too little for policies and many cookies; Chrome allows 256 KB. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** Connections by origin, kept open for a while and counted. */
export interface Pool {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Ends all connections, including those in use. */
  destroy(): Promise<void>;
}

/**
 * A pool of connections made by `connect`. Only HTTP/1.1: each request can be cut off with its socket, and sites with
 * HTTP/2 also accept HTTP/1.1. Time limits come from the deadline, not from the pool.
 */
export function createPool(connect: Connector): Pool {
  const agent = new Agent({
    connect,
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let open = 0;
  agent.on('connect', () => {
    open++;
  });
  agent.on('disconnect', () => {
    open--;
  });
  return {
    dispatch(options, handler) {
      agent.dispatch(open < OPEN_CONNECTIONS_KEPT ? options : { ...options, reset: true }, handler);
    },
    destroy: () => agent.destroy(),
  };
}

/** Connects directly to the target, through all gates of the guard. */
export function directConnector(guard: EgressGuard, verifyTls: boolean): Connector {
  const connect = buildConnector({ ...targetTls(verifyTls), lookup: guard.lookup, timeout: CONNECT_TIMEOUT_MS });
  return (options, callback) => {
    const { hostname } = options;
    try {
      if (isIP(hostname) !== 0) guard.checkAddress(hostname, hostname);
    } catch (error) {
      callback(asError(error), null);
      return;
    }
    connect({ ...options, servername: serverName(hostname) }, (error, socket) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      try {
        guard.checkPeer(socket, hostname);
        callback(null, socket);
      } catch (refused) {
        socket.destroy();
        callback(asError(refused), null);
      }
    });
  };
}

/**
 * Opens a TCP connection to the target, through all gates of the guard. Each side may end its direction by itself, as
 * tunnels need. Throws TrawlError, or the error of the socket.
 */
export function connectDirectly(guard: EgressGuard, url: URL): Promise<Socket> {
  guard.checkUrl(url);
  const host = bareHost(url.hostname);
  const socket = connectTcp({
    host,
    port: portOf(url),
    lookup: guard.lookup,
    timeout: CONNECT_TIMEOUT_MS,
    allowHalfOpen: true,
    noDelay: true,
  });
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const onTimeout = () => fail(Object.assign(new Error('The host is silent.'), { code: 'ETIMEDOUT' }));
    socket.once('error', fail);
    socket.once('timeout', onTimeout);
    socket.once('connect', () => {
      try {
        guard.checkPeer(socket, host);
      } catch (refused) {
        fail(asError(refused));
        return;
      }
      socket.setTimeout(0);
      socket.off('timeout', onTimeout);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** TLS to a target. One context serves all connections, because making one for each costs 0.3 ms. */
export function targetTls(verifyTls: boolean): {
  secureContext: SecureContext;
  rejectUnauthorized: boolean;
  allowH2: false;
} {
  const options = verifyTls ? {} : { minVersion: 'TLSv1' as const, ciphers: 'DEFAULT@SECLEVEL=0' };
  // Browsers still talk to servers without secure renegotiation (RFC 5746); OpenSSL 3 refuses them by default.
  const secureContext = createSecureContext({ ...options, secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT });
  return { secureContext, rejectUnauthorized: verifyTls, allowH2: false };
}

/** RFC 6066 section 3: the name is sent without a trailing dot, and IP addresses are not sent. */
export function serverName(hostname: string): string {
  return isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '';
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
