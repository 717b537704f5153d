import type { IPv4, IPv6 } from 'ipaddr.js';
import { ConfigError } from '../../config.ts';
import { parseAddress } from './parse-address.ts';

export interface Networks {
  /** Whether the address is in one of the networks. An IPv4-mapped address also matches by its IPv4 address. */
  include(address: string): boolean;
}

/**
 * Parses networks in CIDR notation (RFC 4632, RFC 4291). A bare address means itself, an IPv4-mapped network the IPv4
 * network in it.
 * @param place where they are written, for example the name of the setting
 * @throws ConfigError that quotes the invalid entry
 */
export function parseNetworks(entries: readonly string[], place: string): Networks {
  const networks = entries.map((entry) => parseNetwork(entry, place));
  return {
    include(address) {
      const parsed = parseAddress(address);
      if (parsed === undefined) return false;
      const isMapped = 'parts' in parsed && parsed.isIPv4MappedAddress();
      return contains(networks, parsed) || (isMapped && contains(networks, parsed.toIPv4Address()));
    },
  };
}

type Network = readonly [base: IPv4 | IPv6, bits: number];

function contains(networks: readonly Network[], address: IPv4 | IPv6): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

function parseNetwork(entry: string, place: string): Network {
  const [address = '', length, ...rest] = entry.trim().split('/');
  const base = parseAddress(address);
  const width = base?.kind() === 'ipv4' ? 32 : 128;
  const bits = length === undefined ? width : /^\d{1,3}$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY;
  if (base === undefined || bits > width || rest.length > 0) {
    throw new ConfigError(
      `${place}: "${entry}" is not a network. Write networks as CIDR, separated by commas, for example 10.0.0.0/8,fd00::/8.`,
    );
  }
  // The same addresses in either notation.
  if ('parts' in base && base.isIPv4MappedAddress() && bits >= 96) return [base.toIPv4Address(), bits - 96];
  return [base, bits];
}
