import { z } from 'zod';

/** The largest sites that anybody crawls as one job; credits are set aside for all of it. */
const MOST_PAGES = 10_000_000;
const MOST_DELAY = 3_600;

const NO_PATTERNS: string[] = [];

/** What holds for an option that neither the caller nor the prompt says. */
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

/** Options of a crawl that can be said in words too. Left out they stay away, so that what was said can be told. */
export const crawlParamFields = {
  includePaths: option(z.array(z.string()), {
    description: 'Regular expressions (RE2) that are looked for in the path: one of them has to be found',
    default: CRAWL_DEFAULTS.includePaths,
  }),
  excludePaths: option(z.array(z.string()), {
    description: 'Regular expressions (RE2) that are looked for in the path: none of them may be found',
    default: CRAWL_DEFAULTS.excludePaths,
  }),
  maxDiscoveryDepth: option(z.int().min(0), {
    description: 'Links from the start; pages of sitemaps are 0 like the start',
  }),
  crawlEntireDomain: option(z.boolean(), {
    description: 'Not only what is below the start, but the whole site',
    default: CRAWL_DEFAULTS.crawlEntireDomain,
  }),
  allowExternalLinks: option(z.boolean(), {
    description: 'Also pages of other sites that the site links to: one hop',
    default: CRAWL_DEFAULTS.allowExternalLinks,
  }),
  allowSubdomains: option(z.boolean(), {
    description: 'Also other hosts under the same domain',
    default: CRAWL_DEFAULTS.allowSubdomains,
  }),
  ignoreQueryParameters: option(z.boolean(), {
    description: 'Take addresses for the same that differ in the query alone',
    default: CRAWL_DEFAULTS.ignoreQueryParameters,
  }),
  ignoreRobotsTxt: option(z.boolean(), {
    description: 'Scrape what robots.txt keeps out, and at any pace',
    default: CRAWL_DEFAULTS.ignoreRobotsTxt,
  }),
  deduplicateSimilarURLs: option(z.boolean(), {
    description: 'Take addresses for the same that differ in www, scheme, index page or a slash at the end',
    default: CRAWL_DEFAULTS.deduplicateSimilarURLs,
  }),
  delay: option(z.number().min(0).max(MOST_DELAY), {
    description: 'Seconds between two pages; more than 0 goes with one page at a time',
    default: CRAWL_DEFAULTS.delay,
  }),
  limit: option(z.int().min(1).max(MOST_PAGES), {
    description: 'Pages in the result, at most',
    default: CRAWL_DEFAULTS.limit,
  }),
};

/** What a prompt can say of a crawl: the same options within the same bounds as the caller's own. */
export const crawlParams = z.object({
  ...crawlParamFields,
  sitemap: option(z.enum(['skip', 'include']), {
    description: 'Whether pages are found by the sitemaps of the site too',
    default: 'include',
  }),
});

export type CrawlParams = z.infer<typeof crawlParams>;

function option<T extends z.ZodType>(schema: T, about: { description: string; default?: unknown }) {
  return schema.exactOptional().meta(about);
}
