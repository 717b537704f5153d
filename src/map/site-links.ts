import { addressKey } from '../site/addresses.ts';
import type { CrawlScope } from '../site/scope.ts';
import { LinkRanking } from './rank.ts';
import type { MapRequest } from './request.ts';
import { wordsOf } from './words.ts';

/** An address of a site, and the known facts about the page. */
export interface MapLink {
  url: string;
  title?: string;
  description?: string;
}

export type About = Omit<MapLink, 'url'>;

/** A map holds and searches no more: 100,000 links and the keys of their addresses take 40 MB. */
export const MAX_LINKS = 100_000;

/**
 * Collects the addresses of a site without duplicates: in the order of arrival, or the best matches of a search first.
 */
export class SiteLinks {
  readonly #scope: CrawlScope;
  readonly #request: Pick<MapRequest, 'ignoreQueryParameters' | 'limit'>;
  readonly #about = new Map<string, About>();
  /** Keys of addresses. */
  readonly #seen = new Set<string>();
  readonly #list: MapLink[] = [];
  readonly #ranking: LinkRanking<MapLink> | undefined;

  constructor(scope: CrawlScope, request: Pick<MapRequest, 'search' | 'ignoreQueryParameters' | 'limit'>) {
    const { search = '', limit } = request;
    this.#scope = scope;
    this.#request = request;
    this.#ranking = wordsOf(search).length === 0 ? undefined : new LinkRanking(search, limit);
  }

  /** Different addresses so far. */
  get count(): number {
    return this.#seen.size;
  }

  /** Whether the map is full, so that further addresses are useless. */
  get isFull(): boolean {
    return this.count >= (this.#ranking === undefined ? this.#request.limit : MAX_LINKS);
  }

  /** Whether there were more addresses than a search covers. */
  get isCut(): boolean {
    return this.#ranking !== undefined && this.isFull;
  }

  /** Adds facts about an address before the address itself arrives: sitemaps have no titles. The first facts stay. */
  tell(address: string, about: About): void {
    const url = URL.parse(address);
    if (url === null) return;
    const key = this.#keyOf(url);
    if (!this.#about.has(key)) this.#about.set(key, about);
  }

  /** Adds an address, unless it is known or not a page of the site. */
  add(address: string): void {
    const url = URL.parse(address);
    if (url === null || this.isFull || !this.#scope.decide({ url, depth: 0 }).admit) return;
    const key = this.#keyOf(url);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    url.hash = '';
    if (this.#request.ignoreQueryParameters) url.search = '';
    const link = { url: url.href, ...this.#about.get(key) };
    if (this.#ranking === undefined) this.#list.push(link);
    else this.#ranking.add(link);
  }

  /** At most as many as requested. */
  links(): MapLink[] {
    return this.#ranking?.best() ?? this.#list;
  }

  #keyOf(url: URL): string {
    const { ignoreQueryParameters } = this.#request;
    return addressKey(url, { ignoreQueryParameters, deduplicateSimilarURLs: true });
  }
}
