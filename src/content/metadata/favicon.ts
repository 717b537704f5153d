import { resolveAddress } from '../address.ts';
import type { Attributes, ElementNode } from '../tree.ts';

/**
 * The address of the best icon (HTML standard, "Link type icon"): `icon` before `apple-touch-icon`, one for every colour
 * scheme before one for the dark, then the largest; `/favicon.ico` of the site when the page names none.
 */
export function favicon(links: readonly ElementNode[], baseUrl: string, pageUrl: string): string | undefined {
  let best: string | undefined;
  let bestRank = 0;
  for (const link of links) {
    const rank = rankOf(link);
    if (rank <= bestRank) continue;
    const address = resolveAddress(link.attributes.href ?? '', baseUrl);
    if (!address) continue;
    best = address;
    bestRank = rank;
  }
  return best ?? resolveAddress('/favicon.ico', pageUrl);
}

/** 0: not an icon. */
function rankOf({ attributes }: ElementNode): number {
  const rel = (attributes.rel ?? '').toLowerCase().split(/\s+/);
  const isIcon = rel.includes('icon');
  if (!isIcon && !rel.includes('apple-touch-icon') && !rel.includes('apple-touch-icon-precomposed')) return 0;
  return 1 + sizeOf(attributes) + (attributes.media ? 0 : 10_000) + (isIcon ? 20_000 : 0);
}

/** The width in pixels, at most 9,000: `sizes` may list several, and is `any` for a drawing. */
function sizeOf({ sizes, type }: Attributes): number {
  if (sizes === 'any' || type === 'image/svg+xml') return 9_000;
  let largest = 0;
  for (const size of (sizes ?? '').slice(0, 200).split(/\s+/))
    largest = Math.max(largest, Number.parseInt(size, 10) || 0);
  return Math.min(largest, 9_000);
}
