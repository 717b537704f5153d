import { resolveAddress } from './address.ts';
import type { ElementNode, TreeNode } from './tree.ts';
import { walkElements } from './walk.ts';

/** A map of a whole site returns at most this many. The largest real pages have about 5,000. */
export const MAX_LINKS = 100_000;

/** Schemes that a person can follow, unlike scripts, data and blobs. */
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * The addresses that `<a>` and `<area>` of `nodes` and below point to: absolute, each once, in document order.
 *
 * Mail and telephone addresses are kept, because readers look for contacts and a crawler picks by scheme anyway.
 * Fragment links within the page (`#top`) are left out, because they lead to no other address. Fragments that
 * applications use for routing (`#/inbox`, `#!inbox`) are kept. Links to other pages keep their fragment as written.
 */
export function readLinks(nodes: readonly TreeNode[], baseUrl: string): string[] {
  const seen = new Set<string>();
  const links = new Set<string>();
  const samePage = withoutFragment(baseUrl);
  walkElements(nodes, (element) => {
    const href = hrefOf(element);
    // A set of the addresses as written saves resolving a menu that appears three times on the page.
    if (!href || seen.has(href) || links.size >= MAX_LINKS) return;
    seen.add(href);
    const link = resolveAddress(href, baseUrl, SCHEMES);
    if (link && !isJump(link, samePage)) links.add(link);
  });
  return [...links];
}

function hrefOf({ name, attributes }: ElementNode): string | undefined {
  if (name !== 'a' && name !== 'area') return undefined;
  const href = (attributes.href ?? attributes['xlink:href'])?.trim();
  if (href?.startsWith('#') && !isRoute(href)) return undefined;
  // Share buttons start a mail without a recipient.
  return href?.startsWith('mailto:?') ? undefined : href;
}

function isJump(link: string, samePage: string): boolean {
  const hash = link.indexOf('#');
  return hash !== -1 && link.slice(0, hash) === samePage && !isRoute(link.slice(hash));
}

/** A fragment, with its `#`, that names a view of an application rather than a position on the page. */
export function isRoute(fragment: string): boolean {
  return fragment.startsWith('#/') || fragment.startsWith('#!');
}

export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}
