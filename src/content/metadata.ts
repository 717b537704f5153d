import { canonicalOf } from './metadata/canonical.ts';
import { detectLanguage } from './metadata/detected-language.ts';
import { favicon } from './metadata/favicon.ts';
import { feedsOf } from './metadata/feeds.ts';
import { type Head, type MetaTag, readHead } from './metadata/head.ts';
import { declaredLanguage } from './metadata/language.ts';
import { camelCaseNames, isReserved } from './metadata/names.ts';
import type { PageInput, PageMetadata } from './page-content.ts';
import type { PageTree } from './tree.ts';

/** An Open Graph array by definition; existing clients type it so. */
const ALWAYS_ARRAY = 'ogLocaleAlternate';

/** Set by `readMetadata` from the best source, not just from the tag of that name. */
const CHOSEN = new Set(['title', 'description', 'language', 'keywords', 'robots', 'favicon', 'canonical', 'feeds']);

/**
 * What a page says about itself: each `<meta>` tag by its own name, Open Graph, Twitter, article and Dublin Core
 * tags also in camelCase, and title, description, language, robots, favicon and canonical, which are always single
 * strings; `feeds` is always an array. Repeated tags become arrays of distinct values. Never throws.
 */
export function readMetadata(tree: PageTree, page: PageInput): PageMetadata {
  const head = readHead(tree);
  const byName = valuesByLowerCaseName(head.tags);
  const first = (...names: string[]) => names.map((name) => byName.get(name)?.[0]).find((value) => value);
  const known: PageMetadata = present({
    title: titleOf(head) ?? first('og:title', 'twitter:title', 'title') ?? (head.heading || undefined),
    description: first('description', 'og:description', 'twitter:description', 'dc.description', 'dcterms.description'),
    language:
      declaredLanguage([
        head.lang,
        first('content-language'),
        page.contentLanguage,
        first('language', 'dc.language', 'dcterms.language'),
        first('og:locale'),
      ]) ?? detectLanguage(tree),
    keywords: single(byName.get('keywords') ?? []),
    // Directives of several tags add up.
    robots: byName.get('robots')?.join(', '),
    favicon: favicon(head.links, tree.baseUrl, page.url),
    canonical: canonicalOf(head.links, tree.baseUrl),
    feeds: feedsOf(head.links, tree.baseUrl),
  });
  return { ...allTags(head.tags), ...known };
}

/** Tag names are case-insensitive (HTML standard). Values are distinct. */
function valuesByLowerCaseName(tags: readonly MetaTag[]): Map<string, string[]> {
  const byName = new Map<string, Set<string>>();
  for (const { name, content } of tags) addTo(byName, name.toLowerCase(), content);
  return new Map([...byName].map(([name, values]) => [name, [...values]]));
}

function allTags(tags: readonly MetaTag[]): PageMetadata {
  const values = new Map<string, Set<string>>();
  for (const { name, content } of tags) {
    for (const key of [name, ...camelCaseNames(name)]) {
      if (!isReserved(key) && !CHOSEN.has(key)) addTo(values, key, content);
    }
  }
  const metadata: PageMetadata = {};
  for (const [key, set] of values) {
    const value = key === ALWAYS_ARRAY ? [...set] : single([...set]);
    if (value !== undefined) metadata[key] = value;
  }
  return metadata;
}

function titleOf(head: Head): string | undefined {
  return head.titles.find((title) => title !== '');
}

function addTo(values: Map<string, Set<string>>, key: string, value: string): void {
  const set = values.get(key);
  if (set) set.add(value);
  else values.set(key, new Set([value]));
}

function single(values: string[]): string | string[] | undefined {
  return values.length > 1 ? values : values[0];
}

function present(metadata: Record<string, string | string[] | undefined>): PageMetadata {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}
