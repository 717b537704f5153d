import { TrawlError } from '../errors.ts';
import { type Networks, parseNetworks } from '../fetch/egress/networks.ts';
import type { Caller } from './keys.ts';
import type { EndpointGroup } from './restrictions.ts';

// The permissions of a caller. Each check throws FORBIDDEN, before any work is done.

/** Parsed lists, by their text: a list of 1,000 networks takes 2.5 ms to parse, and 0.02 ms to search. */
const READ = new Map<string, Networks>();
const MAX_READ = 100;

/** @param address of the client. When it cannot be determined (undefined), no restricted team lets it in */
export function requireAllowedAddress({ allowList }: Caller, address: string | undefined): void {
  if (allowList === null) return;
  if (address === undefined) {
    throw forbidden(
      'The team of this key accepts calls only from certain networks, and the address of this client cannot be determined.',
    );
  }
  if (!networksOf(allowList).include(address)) {
    throw forbidden(
      `The team of this key accepts calls only from certain networks, and ${address} is in none of them. "trawl teams allow" changes them.`,
    );
  }
}

/** @param groups of operations; the key needs one of them */
export function requireEndpointGroup({ restrictions }: Caller, groups: readonly EndpointGroup[]): void {
  const allowed = restrictions.endpointGroups;
  if (allowed === null || groups.some((group) => allowed.includes(group))) return;
  throw forbidden(`This key may not call operations of "${groups.join('" or "')}". It may call: ${listOf(allowed)}.`);
}

/** @param formats that are requested, or that a result has, by their names in the API; null when unknown */
export function requireFormats({ restrictions }: Caller, formats: readonly string[] | null): void {
  const allowed = restrictions.formats;
  if (allowed === null) return;
  if (formats === null) {
    throw forbidden(
      `This key may only read the formats ${listOf(allowed)}, and the formats of this result are unknown.`,
    );
  }
  const refused = formats.filter((format) => !allowed.includes(format));
  if (refused.length === 0) return;
  throw forbidden(`This key may not request the format ${listOf(refused)}. It may request: ${listOf(allowed)}.`);
}

/** Refuses a browser profile without a key: such callers share one team, and would share its profiles. */
export function requireProfiles({ teamId, subject }: Caller, { profile }: { profile?: object | undefined }): void {
  if (profile === undefined || subject === teamId) return;
  throw forbidden('"profile" needs an API key, because profiles belong to a team. Leave it out, or send a key.');
}

function networksOf(allowList: readonly string[]): Networks {
  const text = allowList.join();
  const known = READ.get(text);
  if (known !== undefined) return known;
  if (READ.size >= MAX_READ) READ.clear();
  const networks = parseNetworks(allowList, 'The allow-list of the team');
  READ.set(text, networks);
  return networks;
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

function forbidden(message: string): TrawlError {
  return new TrawlError('FORBIDDEN', message);
}
