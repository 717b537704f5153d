import { z } from 'zod';

/** The restrictions of one key within its team. Null restricts nothing. */
export interface KeyRestrictions {
  /** Names of formats as the API takes them. */
  formats: readonly string[] | null;
  endpointGroups: readonly EndpointGroup[] | null;
}

/** The groups of operations that a key can be restricted to: one for each capability. */
export const ENDPOINT_GROUPS = [
  'scrape',
  'batch',
  'crawl',
  'map',
  'search',
  'parse',
  'extract',
  'agent',
  'interact',
  'monitor',
  'team',
] as const;
export type EndpointGroup = (typeof ENDPOINT_GROUPS)[number];

const names = z.array(z.string());
const groups = z.array(z.enum(ENDPOINT_GROUPS));

/** The restrictions of a key, parsed from the stored JSON. */
export function readRestrictions(formats: string | null, endpointGroups: string | null): KeyRestrictions {
  return {
    formats: formats === null ? null : names.parse(JSON.parse(formats)),
    endpointGroups: endpointGroups === null ? null : groups.parse(JSON.parse(endpointGroups)),
  };
}

/** The networks (CIDR) that a team may be called from, parsed from the stored JSON; null means every network. */
export function readAllowList(stored: string | null): readonly string[] | null {
  return stored === null ? null : names.parse(JSON.parse(stored));
}
