import { TrawlError } from '../errors.ts';
import { parseNetworks } from '../fetch/egress/networks.ts';
import type { Caller } from './keys.ts';
import type { EndpointGroup } from './restrictions.ts';

// What a caller may do. Each throws FORBIDDEN, before any work is done.

/** @param address of the client; undefined when it cannot be told, and then nobody on a list is let in */
export function requireAllowedAddress({ allowList }: Caller, address: string | undefined): void {
  if (allowList === null) return;
  if (address === undefined) {
    throw forbidden(
      'The team of this key takes calls from certain networks only, and the address of this client cannot be read.',
    );
  }
  if (!parseNetworks(allowList, 'The allow-list of the team').include(address)) {
    throw forbidden(
      `The team of this key takes calls from certain networks only, and ${address} is in none of them. "trawl teams" shows and changes them.`,
    );
  }
}

export function requireEndpointGroup({ restrictions }: Caller, group: EndpointGroup): void {
  const allowed = restrictions.endpointGroups;
  if (allowed === null || allowed.includes(group)) return;
  throw forbidden(`This key may not call operations of "${group}". It may call: ${listOf(allowed)}.`);
}

/** @param formats by their names in the API */
export function requireFormats({ restrictions }: Caller, formats: readonly string[]): void {
  const allowed = restrictions.formats;
  if (allowed === null) return;
  const refused = formats.filter((format) => !allowed.includes(format));
  if (refused.length === 0) return;
  throw forbidden(`This key may not ask for the format ${listOf(refused)}. It may ask for: ${listOf(allowed)}.`);
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

function forbidden(message: string): TrawlError {
  return new TrawlError('FORBIDDEN', message);
}
