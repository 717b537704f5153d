import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/**
 * Parses an address as sockets and resolvers write it: IPv4 in dotted decimal, IPv6 with or without a zone, which is
 * dropped. Undefined for anything else, including 0177.1 and 0x7f000001, which ipaddr.js alone would accept.
 */
export function parseAddress(address: string): IPv4 | IPv6 | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  if (version === 4) return ipaddr.IPv4.parse(address);
  // Normalised to groups of hexadecimal digits first: ipaddr.js 2.5.0 reads the dotted `::127.0.0.1` as
  // `::ffff:127.0.0.1`.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`);
  return ipaddr.IPv6.parse(hostname.slice(1, -1));
}
