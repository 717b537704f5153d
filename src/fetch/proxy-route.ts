import { request } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
// Unlike decodeURIComponent it accepts a bare "%", which URL keeps.
import { unescape as percentDecode } from 'node:querystring';
import { connect as connectTls } from 'node:tls';
import { buildConnector } from 'undici';
import { ConfigError } from '../config.ts';
import { TrawlError } from '../errors.ts';
import { CONNECT_TIMEOUT_MS, type Connector, serverName, targetTls } from './connect.ts';
import { bareHost, type EgressGuard } from './egress/egress-guard.ts';
import { ownEndpoints } from './egress/own-endpoints.ts';
import { portOf } from './port-of.ts';
import { type PlainHttp, pathOf, poolsByTls, type Route } from './route.ts';

interface Proxy {
  /** The name of the setting. Messages use it instead of the address, which may hold a password. */
  setting: string;
  secure: boolean;
  host: string;
  port: number;
  /** `user:password`. */
  credentials: string | undefined;
}

/**
 * Through an HTTP proxy: http addresses in absolute form (RFC 9112 section 3.2.2), because many proxies tunnel only to
 * port 443, and https addresses through a tunnel (RFC 9110 section 9.3.6). The operator chose the proxy, so its own
 * address is not guarded. The target is: literal addresses always, names by their addresses here.
 *
 * This has a limit: the proxy resolves the name again, and only the proxy resolves names without an address here. A
 * hostile name server can give it another answer, so a proxy inside a private network has to refuse private targets
 * too.
 * @param setting the name of the setting, for messages
 * @param address `http://` or `https://`, with user name and password if the proxy needs them
 * @throws ConfigError for any other address
 */
export function proxyRoute(setting: string, address: string, guard: EgressGuard): Route {
  const proxy = parseProxy(setting, address);
  ownEndpoints.addProxy(proxy.host, proxy.port);
  const pools = poolsByTls((verifyTls) => proxyConnector(proxy, verifyTls));
  async function check(url: URL): Promise<void> {
    guard.checkUrl(url);
    if (isIP(bareHost(url.hostname)) === 0) await guard.checkName(url.hostname, portOf(url));
  }
  const plainHttp: PlainHttp = {
    connect: () => connectToProxy(proxy),
    target: (url) => url.origin + pathOf(url),
    headers: authorization(proxy).flat(),
  };
  return {
    check,
    send({ url, method, headers, body = null, verifyTls }, handler) {
      const tunnelled = url.protocol === 'https:';
      const path = tunnelled ? pathOf(url) : plainHttp.target(url);
      const ownHeaders = tunnelled ? [] : plainHttp.headers;
      pools
        .of(url, verifyTls)
        .dispatch({ origin: url.origin, path, method, headers: [...headers, ...ownHeaders], body }, handler);
    },
    checkAnswer(url, status) {
      // Inside a tunnel a 407 comes from the target.
      if (status === 407 && url.protocol === 'http:') throw proxyError(proxy, BAD_CREDENTIALS);
    },
    async connect(url) {
      await check(url);
      return openTunnel(proxy, `${url.hostname}:${portOf(url)}`);
    },
    plainHttp,
    close: pools.close,
  };
}

function parseProxy(setting: string, address: string): Proxy {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ConfigError(
      `${setting} must be the http or https address of a proxy, like http://user:password@host:3128.`,
    );
  }
  const secure = url.protocol === 'https:';
  return {
    setting,
    secure,
    host: bareHost(url.hostname),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    credentials: url.username === '' ? undefined : `${percentDecode(url.username)}:${percentDecode(url.password)}`,
  };
}

/** RFC 7617. */
function authorization({ credentials }: Proxy): [name: string, value: string][] {
  if (credentials === undefined) return [];
  return [['Proxy-Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]];
}

/** Connections to an http target are connections to the proxy; those to an https target are tunnels through it. */
function proxyConnector(proxy: Proxy, verifyTls: boolean): Connector {
  const startTls = buildConnector({ ...targetTls(verifyTls), timeout: CONNECT_TIMEOUT_MS });
  return (options, callback) => {
    const target = `${options.hostname.includes(':') ? `[${options.hostname}]` : options.hostname}:${options.port || 443}`;
    const socket = options.protocol === 'https:' ? openTunnel(proxy, target) : connectToProxy(proxy);
    socket.then(
      (httpSocket) => {
        if (options.protocol === 'https:') {
          startTls({ ...options, servername: serverName(options.hostname), httpSocket }, callback);
        } else callback(null, httpSocket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

function connectToProxy(proxy: Proxy): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { host, port } = proxy;
    const socket = proxy.secure
      ? connectTls({ host, port, servername: serverName(host), ALPNProtocols: ['http/1.1'] })
      : connectTcp({ host, port, allowHalfOpen: true, noDelay: true });
    const fail = (reason: string, cause?: unknown) => {
      socket.destroy();
      reject(proxyError(proxy, reason, cause));
    };
    const onError = (error: NodeJS.ErrnoException) => fail(`is unreachable (${error.code ?? error.message})`, error);
    const onTimeout = () => fail(`did not answer within ${CONNECT_TIMEOUT_MS / 1000} s`);
    socket.setTimeout(CONNECT_TIMEOUT_MS, onTimeout);
    socket.once('error', onError);
    socket.once(proxy.secure ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0, onTimeout);
      // A name of the proxy is known from here on by its address too.
      if (socket.remoteAddress !== undefined) ownEndpoints.addProxy(socket.remoteAddress, port);
      resolve(socket);
    });
  });
}

async function openTunnel(proxy: Proxy, target: string): Promise<Socket> {
  const toProxy = await connectToProxy(proxy);
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) => {
      toProxy.destroy();
      reject(proxyError(proxy, reason, cause));
    };
    request({
      method: 'CONNECT',
      path: target,
      headers: { Host: target, ...Object.fromEntries(authorization(proxy)) },
      createConnection: () => toProxy,
      timeout: CONNECT_TIMEOUT_MS,
    })
      .once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
        if (statusCode === 407) fail(BAD_CREDENTIALS);
        else if (statusCode < 200 || statusCode > 299) fail(`responded with ${statusCode} to a request for ${target}`);
        else {
          socket.setTimeout(0);
          if (head.length > 0) socket.unshift(head);
          resolve(socket);
        }
      })
      .once('timeout', () => fail(`opened no tunnel to ${target} within ${CONNECT_TIMEOUT_MS / 1000} s`))
      .once('error', (error: NodeJS.ErrnoException) =>
        fail(`closed the connection on a request for ${target} (${error.code ?? error.message})`, error),
      )
      .end();
  });
}

const BAD_CREDENTIALS = 'does not accept the user name and password in its address (407)';

function proxyError(proxy: Proxy, reason: string, cause?: unknown): TrawlError {
  return new TrawlError('SCRAPE_PROXY_ERROR', `The proxy in ${proxy.setting} ${reason}.`, { cause });
}
