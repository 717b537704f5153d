import type { ScrapeOptions } from '../pages/request.ts';
import type { ScopeOptions } from '../site/scope.ts';
import { parseTarget } from '../site/target.ts';
import type { Prices } from '../team/prices.ts';

/** Where a crawl goes, validated, with every default filled in. Both API versions and the command line make this shape. */
export interface CrawlOptions {
  /** Where it starts: as the caller wrote it, and once it is stored the whole address. */
  url: string;
  crawlEntireDomain: boolean;
  allowSubdomains: boolean;
  allowExternalLinks: boolean;
  /** Regular expressions. */
  includePaths: readonly string[];
  excludePaths: readonly string[];
  regexOnFullURL: boolean;
  /** Links from the start; null is any number. */
  maxDiscoveryDepth: number | null;
  /** Names in the path, of version 1; null is any number. */
  maxDepth: number | null;
  sitemap: 'include' | 'skip' | 'only';
  ignoreQueryParameters: boolean;
  deduplicateSimilarURLs: boolean;
  ignoreRobotsTxt: boolean;
  /** Whose rules of robots.txt hold. */
  robotsUserAgent: string;
  /** Pages that give a result, at most. */
  limit: number;
  /** Seconds between two pages; more than 0 goes with one page at a time. */
  delay: number;
  maxConcurrency: number | null;
}

/** What a worker has to know of a crawl. Kept as JSON until the crawl ends. */
export interface StoredCrawl {
  options: CrawlOptions;
  /** Of each page. */
  page: ScrapeOptions;
  /** Those in force when it started. Crawls of older versions have none. */
  prices?: Prices;
  /** Where the caller reached the service; undefined on the command line, and in crawls of older versions. */
  publicAddress?: string | undefined;
}

/** The scope of a crawl that was validated. */
export function scopeOptions({ url, maxDiscoveryDepth, maxDepth, ...options }: CrawlOptions): ScopeOptions {
  return {
    ...options,
    url: parseTarget(url),
    maxDiscoveryDepth: maxDiscoveryDepth ?? undefined,
    maxDepth: maxDepth ?? undefined,
  };
}
