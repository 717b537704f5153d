import { z } from 'zod';

/** Larger than any site that is crawled as one job. Credits are reserved for all of these pages. */
const MAX_PAGES = 10_000_000;
const MAX_DELAY = 3_600;

const NO_PATTERNS: string[] = [];

/** The defaults of options that neither the caller nor the prompt sets. */
export const CRAWL_DEFAULTS = {
  includePaths: NO_PATTERNS,
  excludePaths: NO_PATTERNS,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
  ignoreQueryParameters: false,
  ignoreRobotsTxt: false,
  deduplicateSimilarURLs: true,
  delay: 0,
  limit: 10_000,
};

/**
 * Options of a crawl that a prompt can set too. They stay undefined when left out, to distinguish them from given ones.
 */
export const crawlParamFields = {
  includePaths: option(z.array(z.string()), {
    description: 'Regular expressions (RE2); the path must match one of them',
    default: CRAWL_DEFAULTS.includePaths,
  }),
  excludePaths: option(z.array(z.string()), {
    description: 'Regular expressions (RE2); the path must match none of them',
    default: CRAWL_DEFAULTS.excludePaths,
  }),
  maxDiscoveryDepth: option(z.int().min(0), {
    description: 'Maximum number of links from the start; pages of sitemaps count as 0, like the start',
  }),
  crawlEntireDomain: option(z.boolean(), {
    description: 'Crawl the whole site, not only pages below the start',
    default: CRAWL_DEFAULTS.crawlEntireDomain,
  }),
  allowExternalLinks: option(z.boolean(), {
    description: 'Include pages of other sites that the site links to, one hop away',
    default: CRAWL_DEFAULTS.allowExternalLinks,
  }),
  allowSubdomains: option(z.boolean(), {
    description: 'Include other hosts under the same domain',
    default: CRAWL_DEFAULTS.allowSubdomains,
  }),
  ignoreQueryParameters: option(z.boolean(), {
    description: 'Treat addresses that differ only in the query as the same page',
    default: CRAWL_DEFAULTS.ignoreQueryParameters,
  }),
  ignoreRobotsTxt: option(z.boolean(), {
    description: 'Ignore the rules and the crawl delay of robots.txt',
    default: CRAWL_DEFAULTS.ignoreRobotsTxt,
  }),
  deduplicateSimilarURLs: option(z.boolean(), {
    description: 'Treat addresses that differ in www, scheme, index page or a trailing slash as the same page',
    default: CRAWL_DEFAULTS.deduplicateSimilarURLs,
  }),
  delay: option(z.number().min(0).max(MAX_DELAY), {
    description: 'Seconds between two pages; above 0, pages are fetched one at a time',
    default: CRAWL_DEFAULTS.delay,
  }),
  limit: option(z.int().min(1).max(MAX_PAGES), {
    description: 'Maximum number of pages in the result',
    default: CRAWL_DEFAULTS.limit,
  }),
};

/** What a prompt can set: the same options within the same bounds as the caller's own. */
export const crawlParams = z.object({
  ...crawlParamFields,
  sitemap: option(z.enum(['skip', 'include']), {
    description: 'Whether to also find pages through the sitemaps of the site',
    default: 'include',
  }),
});

export type CrawlParams = z.infer<typeof crawlParams>;

function option<T extends z.ZodType>(schema: T, about: { description: string; default?: unknown }) {
  return schema.exactOptional().meta(about);
}
