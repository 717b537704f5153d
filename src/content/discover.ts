import { resolveAddress } from './address.ts';
import { isRoute, MAX_LINKS, withoutFragment } from './links.ts';
import { canonicalOf } from './metadata/canonical.ts';
import type { Discovered, DiscoveredLink, DiscoverOptions } from './page-content.ts';
import type { ElementNode, PageTree } from './tree.ts';
import { truncate } from './truncate.ts';
import { collapse, textOf, walkElements } from './walk.ts';

/** Enough for a title. A card that is one link can hold a whole paragraph. */
const MAX_TEXT = 200;
/** Includes the indentation of the source. */
const RAW_TEXT = 1_000;
/** There are some 200 languages, and some shops list each with every country. */
const MAX_ALTERNATES = 1_000;
const MAX_HEAD_LINKS = 1_000;

/**
 * The links of the whole page for a crawler, including hidden parts, because menus are folded until they are opened.
 * Links are those of `<a>`, `<area>`, `<frame>` and `<link rel=next|prev>`. Never throws; linear in the page.
 */
export function discover({ root, baseUrl }: PageTree, { agent }: DiscoverOptions): Discovered {
  const links = new LinkList(baseUrl);
  const headLinks: ElementNode[] = [];
  const robotsNames = new Set(['robots', agent.toLowerCase()]);
  const directives = new Set<string>();
  walkElements(root.children, (element) => {
    const { name, attributes } = element;
    switch (name) {
      case 'a':
      case 'area':
        links.add(attributes.href ?? attributes['xlink:href'], attributes.rel, element);
        break;
      case 'frame':
        links.add(attributes.src, undefined, element);
        break;
      case 'link':
        if (headLinks.length < MAX_HEAD_LINKS) headLinks.push(element);
        if (hasToken(attributes.rel, PAGINATION)) links.add(attributes.href, attributes.rel, element);
        break;
      case 'meta':
        if (robotsNames.has(attributes.name?.trim().toLowerCase() ?? '')) addDirectives(attributes.content, directives);
    }
  });
  const canonical = canonicalOf(headLinks, baseUrl);
  const alternates = alternatesOf(headLinks, baseUrl);
  return {
    links: links.list(),
    ...(canonical === undefined ? {} : { canonical }),
    ...(alternates.length === 0 ? {} : { alternates }),
    noindex: directives.has('noindex') || directives.has('none'),
    nofollow: directives.has('nofollow') || directives.has('none'),
  };
}

const PAGINATION: ReadonlySet<string> = new Set(['next', 'prev', 'previous']);
const NOFOLLOW: ReadonlySet<string> = new Set(['nofollow']);

/** The links of a page, each address once. */
class LinkList {
  readonly #baseUrl: string;
  /** Keyed by the address as written, which saves resolving a menu that appears three times on the page. */
  readonly #written = new Map<string, DiscoveredLink | undefined>();
  readonly #links = new Map<string, DiscoveredLink>();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  add(href: string | undefined, rel: string | undefined, element: ElementNode): void {
    const written = href?.trim();
    if (!written) return;
    const nofollow = hasToken(rel, NOFOLLOW);
    let link = this.#written.get(written);
    if (link === undefined && !this.#written.has(written)) {
      link = this.#resolve(written, nofollow);
      if (this.#written.size < MAX_LINKS) this.#written.set(written, link);
    }
    if (link === undefined) return;
    link.nofollow &&= nofollow;
    if (link.text !== undefined) return;
    const text = titleOf(element);
    if (text !== '') link.text = text;
  }

  list(): DiscoveredLink[] {
    return [...this.#links.values()];
  }

  #resolve(written: string, nofollow: boolean): DiscoveredLink | undefined {
    // A fragment link leads to no other address, and the page itself is already known.
    if (written.startsWith('#') && !isRoute(written)) return undefined;
    const address = resolveAddress(written, this.#baseUrl);
    if (address === undefined) return undefined;
    const hash = address.indexOf('#');
    const url = hash !== -1 && !isRoute(address.slice(hash)) ? withoutFragment(address) : address;
    const known = this.#links.get(url);
    if (known !== undefined || this.#links.size >= MAX_LINKS) return known;
    const link = { url, nofollow };
    this.#links.set(url, link);
    return link;
  }
}

function titleOf(element: ElementNode): string {
  const text = textOf(element, RAW_TEXT);
  if (text !== '') return truncate(text, MAX_TEXT);
  const { attributes } = element;
  const said = attributes['aria-label'] ?? attributes.get('title') ?? attributes.alt ?? altOfPicture(element) ?? '';
  return collapse(truncate(said, MAX_TEXT));
}

function altOfPicture({ children }: ElementNode): string | undefined {
  for (const child of children) {
    if (child.kind === 'element' && child.name === 'img' && child.attributes.alt) return child.attributes.alt;
  }
  return undefined;
}

function alternatesOf(links: readonly ElementNode[], baseUrl: string): string[] {
  const alternates = new Set<string>();
  for (const { attributes } of links) {
    if (alternates.size === MAX_ALTERNATES) break;
    if (attributes.get('hreflang') === undefined || !hasToken(attributes.rel, ALTERNATE)) continue;
    const address = resolveAddress(attributes.href ?? '', baseUrl);
    if (address !== undefined) alternates.add(withoutFragment(address));
  }
  return [...alternates];
}

const ALTERNATE: ReadonlySet<string> = new Set(['alternate']);

/** Directives such as `noindex, nofollow`. Those with a value (`max-snippet:20`) are for search engines. */
function addDirectives(content: string | undefined, directives: Set<string>): void {
  for (const word of (content ?? '')
    .slice(0, 1_000)
    .toLowerCase()
    .split(/[\s,]+/))
    directives.add(word);
}

/** Whether an attribute, read as a list of words, contains one of these. */
function hasToken(value: string | undefined, tokens: ReadonlySet<string>): boolean {
  if (!value) return false;
  return value
    .slice(0, 1_000)
    .toLowerCase()
    .split(/\s+/)
    .some((word) => tokens.has(word));
}
