import { resolveAddress } from '../address.ts';
import type { ElementNode } from '../tree.ts';

/** The address that the page gives as its own (RFC 6596), absolute; undefined when it gives none that is valid. */
export function canonicalOf(links: readonly ElementNode[], baseUrl: string): string | undefined {
  const link = links.find(({ attributes }) => attributes.rel?.trim().toLowerCase() === 'canonical');
  return link && resolveAddress(link.attributes.href ?? '', baseUrl);
}
