import type { ScrapeOptions } from '../pages/request.ts';
import type { ScopeOptions } from '../site/scope.ts';
import { parseTarget } from '../site/target.ts';
import type { Prices } from '../team/prices.ts';

/** The scope of a crawl, validated, with every default filled in. Both API versions and the command line produce it. */
export interface CrawlOptions {
  /** The start: first as the caller wrote it, and the whole address once stored. */
  url: string;
  crawlEntireDomain: boolean;
  allowSubdomains: boolean;
  allowExternalLinks: boolean;
  /** Regular expressions. */
  includePaths: readonly string[];
  excludePaths: readonly string[];
  regexOnFullURL: boolean;
  /** Links from the start; null for no limit. */
  maxDiscoveryDepth: number | null;
  /** Path segments, in version 1; null for no limit. */
  maxDepth: number | null;
  sitemap: 'include' | 'skip' | 'only';
  ignoreQueryParameters: boolean;
  deduplicateSimilarURLs: boolean;
  ignoreRobotsTxt: boolean;
  /** The user agent whose robots.txt rules apply. */
  robotsUserAgent: string;
  /** Maximum number of pages with a result. */
  limit: number;
  /** Seconds between two pages; above 0, pages are fetched one at a time. */
  delay: number;
  maxConcurrency: number | null;
}

/** What a worker needs to know about a crawl. Stored as JSON until the crawl ends. */
export interface StoredCrawl {
  options: CrawlOptions;
  /** The options for every page. */
  page: ScrapeOptions;
  /** The prices when the crawl started. Crawls from older versions have none. */
  prices?: Prices;
  /** Where the caller reached the service. Undefined on the command line, and in crawls from older versions. */
  publicAddress?: string | undefined;
}

/** The scope of a validated crawl. */
export function scopeOptions({ url, maxDiscoveryDepth, maxDepth, ...options }: CrawlOptions): ScopeOptions {
  return {
    ...options,
    url: parseTarget(url),
    maxDiscoveryDepth: maxDiscoveryDepth ?? undefined,
    maxDepth: maxDepth ?? undefined,
  };
}
