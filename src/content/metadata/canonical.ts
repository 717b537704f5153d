import { resolveAddress } from '../address.ts';
import type { ElementNode } from '../tree.ts';

/** The canonical address that the page declares (RFC 6596), absolute; undefined when it declares no valid one. */
export function canonicalOf(links: readonly ElementNode[], baseUrl: string): string | undefined {
  const link = links.find(({ attributes }) => attributes.rel?.trim().toLowerCase() === 'canonical');
  return link && resolveAddress(link.attributes.href ?? '', baseUrl);
}
