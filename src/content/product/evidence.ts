import { lettersOf } from '../letters.ts';
import { canonicalOf } from '../metadata/canonical.ts';
import { readHead } from '../metadata/head.ts';
import type { PageInput } from '../page-content.ts';
import type { PageTree } from '../tree.ts';

/** The evidence for which of several products a page is about. */
export interface Evidence {
  /** The base of relative addresses on the page. */
  baseUrl: string;
  /** The page's canonical address, else its own. */
  url: string;
  /** The page's own and its canonical address as `plainAddress` writes them, with and without the query. */
  addresses: ReadonlySet<string>;
  /** The titles of the page, as `lettersOf` writes them: heading, `<title>`, social titles. */
  titles: ReadonlySet<string>;
}

export function readEvidence(tree: PageTree, page: PageInput): Evidence {
  const head = readHead(tree);
  const canonical = canonicalOf(head.links, tree.baseUrl);
  const socialTitles = head.tags
    .filter(({ name }) => /^(?:og|twitter):title$/i.test(name))
    .map(({ content }) => content);
  const titles = [head.heading, ...head.titles, ...socialTitles].map(lettersOf);
  return {
    baseUrl: tree.baseUrl,
    url: canonical ?? page.url,
    addresses: new Set(
      [page.url, canonical ?? page.url].flatMap((url) => [url, url.split('?', 1)[0] ?? url]).map(plainAddress),
    ),
    titles: new Set(titles.filter((title) => title !== '')),
  };
}

/** An address without the parts that never distinguish products: scheme, `www.`, fragment, trailing slash. */
export function plainAddress(url: string): string {
  return url
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/#.*$/s, '')
    .replace(/\/$/, '');
}
