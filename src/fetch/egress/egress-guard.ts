import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { TrawlError } from '../../errors.ts';
import { badHostName } from '../../host-name.ts';
import { portOf } from '../port-of.ts';
import { specialAddressKind } from './address-kind.ts';
import { BAD_PORTS } from './bad-ports.ts';
import { parseNetworks } from './networks.ts';
import { ownEndpoints } from './own-endpoints.ts';
import { createSystemResolver } from './system-resolver.ts';

/** Names without a dot, and those reserved for private networks (RFC 6761, RFC 6762, RFC 8375, ICANN's `.internal`). */
const PRIVATE_NAME = /^[^.]+\.?$|\.(?:internal|local|localhost|home\.arpa)\.?$/;

/** RFC 6761 section 6.4: this name never exists, and no name server may be asked for it. */
const NOBODYS_NAME = /(?:^|\.)invalid\.?$/;

/** All addresses of a name. Rejects like `dns.promises.lookup` when there is none. */
export type ResolveName = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * Decides about every outbound connection. A connection passes three gates: `checkUrl` before the connection (undici
 * and net do not resolve literal addresses), `lookup` for names, `checkPeer` for the peer of the socket. A name
 * cannot change between check and connection, because the socket gets the addresses that `lookup` allows.
 */
export interface EgressGuard {
  /**
   * @throws SCRAPE_BLOCKED_TARGET for a scheme other than http(s), a port of another protocol, or a refused literal
   * address; SCRAPE_DNS_RESOLUTION_ERROR for an impossible host name
   */
  checkUrl(url: URL): void;
  /** For `net.connect` and `tls.connect`: resolves a name to its allowed addresses. */
  readonly lookup: LookupFunction;
  /** @throws SCRAPE_BLOCKED_TARGET */
  checkAddress(address: string, host: string): void;
  /**
   * The last gate, before the first byte is sent: the address and port that a socket is connected to.
   * @throws SCRAPE_BLOCKED_TARGET
   */
  checkPeer(socket: Socket, host: string): void;
  /**
   * For a target that a proxy resolves: all addresses that the name has here must be allowed, because the proxy may use
   * any of them. A name that does not resolve here is left to the proxy, unless only private networks have such names.
   * @throws SCRAPE_BLOCKED_TARGET
   */
  checkName(name: string, port: number): Promise<void>;
}

/**
 * @param allowNetworks private networks (CIDR) that are allowed
 * @param resolve resolves names; the system's resolver except in tests
 * @throws ConfigError for an invalid network
 */
export function createEgressGuard(
  allowNetworks: readonly string[],
  resolve: ResolveName = createSystemResolver(),
): EgressGuard {
  const allowed = parseNetworks(allowNetworks, 'TRAWL_ALLOW_NETWORKS');

  function refusal(address: string): string | undefined {
    const kind = specialAddressKind(address);
    return kind === undefined || allowed.include(address) ? undefined : kind;
  }

  function checkAddress(address: string, host: string): void {
    const kind = refusal(address);
    if (kind !== undefined) throw blocked(address === host ? `${host} is` : `${host} connects to`, kind);
  }

  function checkEndpoint(address: string, host: string, port: number): void {
    if (ownEndpoints.include(address, port)) throw ownEndpoint(host, port);
  }

  async function reachable(name: string): Promise<LookupAddress[]> {
    if (NOBODYS_NAME.test(name)) throw unresolved(name);
    const addresses = await resolve(name).catch((cause: unknown) => {
      throw unresolved(name, cause);
    });
    const passed = addresses.filter(({ address }) => refusal(address) === undefined);
    const [first] = addresses;
    if (first === undefined) throw unresolved(name);
    if (passed.length === 0) throw blocked(`${name} resolves to`, refusal(first.address));
    return passed;
  }

  return {
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw new TrawlError(
          'SCRAPE_BLOCKED_TARGET',
          `Only http and https addresses are fetched, not "${url.protocol}".`,
        );
      }
      if (url.port !== '' && BAD_PORTS.has(Number(url.port))) {
        throw new TrawlError(
          'SCRAPE_BLOCKED_TARGET',
          `Port ${url.port} belongs to a protocol other than HTTP. Browsers refuse it too.`,
        );
      }
      const problem = badHostName(url.hostname);
      if (problem !== undefined) throw new TrawlError('SCRAPE_DNS_RESOLUTION_ERROR', problem);
      const host = bareHost(url.hostname);
      if (isIP(host) !== 0) checkAddress(host, host);
      checkEndpoint(host, host, portOf(url));
    },

    lookup(hostname, options, callback) {
      reachable(hostname).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all || first === undefined) callback(null, addresses);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, []),
      );
    },

    checkAddress,

    checkPeer({ remoteAddress = 'a closed connection', remotePort = 0 }, host) {
      checkAddress(remoteAddress, host);
      checkEndpoint(remoteAddress, host, remotePort);
    },

    async checkName(name, port) {
      const addresses = await resolve(name).catch(() => []);
      if (addresses.length === 0 && PRIVATE_NAME.test(name)) throw blocked(`${name} is`, 'a private name');
      for (const { address } of addresses) {
        const kind = refusal(address);
        if (kind !== undefined) throw blocked(`${name} resolves to`, kind);
        checkEndpoint(address, name, port);
      }
    },
  };
}

/** A URL's host name, without the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Names only the kind of the address: the address of an internal name is confidential. */
function blocked(subject: string, kind: string | undefined): TrawlError {
  return new TrawlError(
    'SCRAPE_BLOCKED_TARGET',
    `${subject} ${kind}, which this service does not fetch. The operator can allow its network with TRAWL_ALLOW_NETWORKS.`,
  );
}

function ownEndpoint(host: string, port: number): TrawlError {
  return new TrawlError(
    'SCRAPE_BLOCKED_TARGET',
    `Port ${port} of ${host} belongs to this service or to its proxy, which it does not fetch.`,
  );
}

function unresolved(name: string, cause?: unknown): TrawlError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : 'ENOTFOUND';
  if (code === 'ENOTFOUND' || code === 'ENODATA') {
    const message = `The name ${name} does not exist or has no address. Check the spelling of the host.`;
    return new TrawlError('SCRAPE_DNS_RESOLUTION_ERROR', message, { cause });
  }
  // This may be temporary.
  const message = `The name ${name} could not be resolved: the name server did not answer (${code}). Try again later.`;
  return new TrawlError('SCRAPE_CONNECTION_ERROR', message, { cause });
}
