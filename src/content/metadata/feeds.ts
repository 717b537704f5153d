import { resolveAddress } from '../address.ts';
import type { ElementNode } from '../tree.ts';

/** RSS 2.0 and Atom (RFC 4287) as pages announce them, and JSON Feed 1.1. */
const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);
/** A blog has one or two, for posts and comments; a newspaper one for each section. */
const MAX_FEEDS = 50;

/** The absolute addresses of the feeds that a page announces (`rel=alternate`), in its order; undefined when it has none. */
export function feedsOf(links: readonly ElementNode[], baseUrl: string): string[] | undefined {
  const feeds = new Set<string>();
  for (const { attributes } of links) {
    if (feeds.size === MAX_FEEDS) break;
    const type = attributes.type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!FEED_TYPES.has(type) || !/(?:^|\s)alternate(?:\s|$)/i.test(attributes.rel ?? '')) continue;
    const address = resolveAddress(attributes.href ?? '', baseUrl);
    if (address !== undefined) feeds.add(address);
  }
  return feeds.size > 0 ? [...feeds] : undefined;
}
