import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { parseAddress } from './parse-address.ts';

type Kinds = readonly (readonly [base: IPv4 | IPv6, bits: number, kind: string])[];

/**
 * Addresses that are not ordinary public hosts, from the IANA special-purpose address registries (RFC 6890) and the
 * multicast registries. The first match names the address, so the more specific entries come first.
 */
const IPV4_KINDS = kinds([
  // Where clouds give credentials to anyone who asks, whatever the kind of address: AWS, GCP and most others, AWS
  // containers, AWS EKS, Alibaba, Oracle, Azure's wire server.
  ['169.254.169.254/32', 'a cloud metadata address'],
  ['169.254.170.2/32', 'a cloud metadata address'],
  ['169.254.170.23/32', 'a cloud metadata address'],
  ['100.100.100.200/32', 'a cloud metadata address'],
  ['192.0.0.192/32', 'a cloud metadata address'],
  ['168.63.129.16/32', 'a cloud metadata address'],
  ['0.0.0.0/8', 'an unspecified address'],
  ['10.0.0.0/8', 'a private address'],
  ['100.64.0.0/10', 'a carrier-grade NAT address'],
  ['127.0.0.0/8', 'a loopback address'],
  ['169.254.0.0/16', 'a link-local address'],
  ['172.16.0.0/12', 'a private address'],
  ['192.0.0.0/24', 'a reserved address'],
  ['192.0.2.0/24', 'a documentation address'],
  ['192.88.99.0/24', 'a reserved address'],
  ['192.168.0.0/16', 'a private address'],
  ['198.18.0.0/15', 'a benchmark address'],
  ['198.51.100.0/24', 'a documentation address'],
  ['203.0.113.0/24', 'a documentation address'],
  ['224.0.0.0/4', 'a multicast address'],
  ['255.255.255.255/32', 'the broadcast address'],
  ['240.0.0.0/4', 'a reserved address'],
]);

const IPV6_KINDS = kinds([
  // AWS, AWS EKS, GCP.
  ['fd00:ec2::254/128', 'a cloud metadata address'],
  ['fd00:ec2::23/128', 'a cloud metadata address'],
  ['fd20:ce::254/128', 'a cloud metadata address'],
  ['::/128', 'an unspecified address'],
  ['::1/128', 'a loopback address'],
  ['::/96', 'an IPv4-compatible address'],
  ['::ffff:0:0:0/96', 'an IPv4-translated address'],
  // RFC 8215: a network's own translation prefix, in which the position of the IPv4 address is unknown.
  ['64:ff9b:1::/48', 'a local NAT64 address'],
  ['100::/64', 'a discard-only address'],
  // Teredo and 6to4 carry an IPv4 address that a relay would connect to. Both are refused entirely, public or not: no
  // public site is reachable only through them (RFC 7526 retired 6to4).
  ['2001::/32', 'a Teredo address'],
  ['2002::/16', 'a 6to4 address'],
  ['2001:2::/48', 'a benchmark address'],
  ['2001:db8::/32', 'a documentation address'],
  ['2001::/23', 'a reserved address'],
  ['3fff::/20', 'a documentation address'],
  ['fc00::/7', 'a private (unique local) address'],
  ['fe80::/10', 'a link-local address'],
  ['fec0::/10', 'a private (site-local) address'],
  ['ff00::/8', 'a multicast address'],
]);

/** RFC 6052: the NAT64 prefix, with the IPv4 address in the last 32 bits. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** RFC 4291 section 2.4: all allocated global unicast addresses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Why an address is not an ordinary public host, as in "a loopback address"; undefined for one that is. An address
 * through which a kernel or a translator reaches an IPv4 host (IPv4-mapped, NAT64) is judged by that host.
 *
 * A network's own NAT64 prefix (RFC 6052 section 2.2) looks like any public address and cannot be recognised.
 * @param address IPv4 in dotted decimal or IPv6, with or without a zone
 */
export function specialAddressKind(address: string): string | undefined {
  const parsed = parseAddress(address);
  if (parsed === undefined) return 'not an IP address';
  if (!('parts' in parsed)) return find(IPV4_KINDS, parsed);

  if (parsed.isIPv4MappedAddress()) return by('IPv4-mapped', find(IPV4_KINDS, parsed.toIPv4Address()));
  if (parsed.match(NAT64)) {
    return by('behind NAT64', find(IPV4_KINDS, new ipaddr.IPv4(parsed.toByteArray().slice(12))));
  }
  return find(IPV6_KINDS, parsed) ?? (parsed.match(GLOBAL_UNICAST) ? undefined : 'a reserved address');
}

function kinds(rows: readonly (readonly [network: string, kind: string])[]): Kinds {
  return rows.map(([network, kind]) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return [base, bits, kind];
  });
}

function find(rows: Kinds, address: IPv4 | IPv6): string | undefined {
  return rows.find(([base, bits]) => address.match(base, bits))?.[2];
}

function by(way: string, kind: string | undefined): string | undefined {
  return kind === undefined ? undefined : `${kind} (${way})`;
}
