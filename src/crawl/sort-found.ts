import { newId } from '../clock.ts';
import type { NewPage, RefusedPage } from '../store/operations/jobs/add-pages.ts';
import type { KnownCrawl } from './known-crawls.ts';
import type { RobotsRules } from './robots.ts';

/** Where addresses were found. */
export interface FindingPlace {
  /** Links from the start to what was found. */
  depth: number;
  /** Whose rules are known: others are asked when a page of theirs is fetched. */
  origin: string;
  /** Null: robots.txt is not asked. */
  rules: RobotsRules | null;
  onExternalPage: boolean;
}

export interface SortedFound {
  found: NewPage[];
  refused: RefusedPage[];
}

/** Of the addresses on a page or in a sitemap those that belong to the crawl, each once, and those to be reported. */
export function sortFound(crawl: KnownCrawl, urls: Iterable<string>, place: FindingPlace): SortedFound {
  const { depth, origin, rules, onExternalPage } = place;
  const found: NewPage[] = [];
  const refused: RefusedPage[] = [];
  const seen = new Set<string>();
  for (const address of urls) {
    const url = URL.parse(address);
    if (url === null || !crawl.scope.decide({ url, depth, onExternalPage }).admit) continue;
    const key = crawl.keyOf(url);
    if (seen.has(key)) continue;
    seen.add(key);
    // Asked here already, so that what is kept out takes no turn of the host's pace.
    if (url.origin === origin && rules !== null && !rules.isAllowed(url)) {
      refused.push({ key, url: url.href, scrapeId: newId(), error: null });
      continue;
    }
    const trap = crawl.traps.check(key, url);
    if (trap === undefined) found.push({ key, url: url.href, host: url.host, depth });
    else refused.push({ key, url: url.href, scrapeId: newId(), error: { code: 'CRAWL_TRAP', message: trap } });
  }
  return { found, refused };
}
