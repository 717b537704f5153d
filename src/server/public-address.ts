import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { TrawlError } from '../errors.ts';
import type { Networks } from '../fetch/egress/networks.ts';

/**
 * The address at which a client reached this service, without a trailing slash. Every address in a response begins with
 * it.
 */
export type PublicAddress = (request: FastifyRequest) => string;

interface AddressSources {
  /** `TRAWL_BASE_URL`, without a trailing slash. It overrides the headers of a request. */
  baseUrl: string | undefined;
  /** Where the service listens. Asked at each use: a free port is known only after listening. */
  listening: () => string;
  /** Proxies whose `X-Forwarded-…` headers are trusted. From any other client they are ignored. */
  trustedProxies: Networks;
}

/**
 * `Forwarded` (RFC 7239) is not read: proxies that write `X-Forwarded-…` pass a client's own `Forwarded` header on, so
 * believing both would let clients override the proxy.
 */
export function publicAddress({ baseUrl, listening, trustedProxies }: AddressSources): PublicAddress {
  if (baseUrl !== undefined) return () => baseUrl;
  return ({ raw: { headers, socket } }) => {
    const ownHost = validHost(headers.host);
    if (!trustedProxies.include(socket.remoteAddress ?? '')) return ownHost ? `http://${ownHost}` : listening();
    // The last entry: the proxy wrote it itself, while earlier ones may come from the client.
    const forwarded = (name: string) => headers[`x-forwarded-${name}`]?.toString().split(',').at(-1)?.trim();
    const host = validHost(forwarded('host')) ?? ownHost;
    const scheme = /^https$/i.test(forwarded('proto') ?? '') ? 'https' : 'http';
    return (host ? `${scheme}://${host}` : listening()) + validPrefix(forwarded('prefix'));
  };
}

/**
 * Host and port in the syntax of RFC 9110 section 7.2, without the rarer characters of RFC 3986: they could end a quoted
 * header value or an attribute of HTML.
 */
function validHost(host: string | undefined): string | undefined {
  if (host === undefined || !/^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i.test(host)) return undefined;
  return URL.canParse(`http://${host}`) ? host : undefined;
}

/** A path without dot segments, with its trailing slash removed. Empty for anything else. */
function validPrefix(prefix = ''): string {
  if (prefix.length > 200 || !/^(?:\/[\w.~-]+)+\/?$/.test(prefix)) return '';
  return new URL(prefix, 'http://any').pathname === prefix ? prefix.replace(/\/$/, '') : '';
}

/**
 * The target of a request as path and query. RFC 9112 section 3.2.2: the host of an absolute target replaces the `Host`
 * header, so that no cache in between stores a response under one name that holds addresses of another.
 */
export function toOriginForm(request: IncomingMessage): string {
  const { url = '/', headers } = request;
  const absolute = /^https?:\/\/([^/?]*)(.*)$/i.exec(url);
  if (absolute === null) return url;
  const [, host, path = ''] = absolute;
  headers.host = host;
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * An `onRequest` hook. RFC 9112 section 3.2: a request with two hosts is refused, because each hop may read a different
 * one.
 */
export async function requireOneHost({ raw }: FastifyRequest): Promise<void> {
  const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new TrawlError('BAD_REQUEST', 'The request has more than one Host header. Send one.');
}
