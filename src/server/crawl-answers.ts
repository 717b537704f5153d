import { z } from 'zod';
import { isoTime } from '../clock.ts';
import type { ActiveCrawl } from '../crawl/active-crawls.ts';
import type { CrawlOptions } from '../crawl/crawl-options.ts';
import { ROBOTS_AGENT } from '../crawl/polite-fetcher.ts';
import { jobFields } from './job-answers.ts';
import { targetUrl } from './scrape-fields.ts';

/** What both API versions take to start a crawl, and answer of those that run. */

const DEFAULT_LIMIT = 10_000;
/** The largest sites that anybody crawls as one job; credits are set aside for all of it. */
const MOST_PAGES = 10_000_000;
const MOST_DELAY = 3_600;

const patterns = (what: string) =>
  z.array(z.string()).default([]).describe(`Regular expressions (RE2) that are looked for in the path: ${what}`);

/** Fields of a crawl, beside the options of its pages, that both versions have. */
export const crawlFields = {
  ...jobFields,
  url: targetUrl,
  includePaths: patterns('one of them has to be found'),
  excludePaths: patterns('none of them may be found'),
  regexOnFullURL: z.boolean().default(false).describe('Look for them in the whole address'),
  maxDiscoveryDepth: z.int().min(0).optional().describe('Links from the start; pages of sitemaps are 0 like the start'),
  ignoreQueryParameters: z
    .boolean()
    .default(false)
    .describe('Take addresses for the same that differ in the query alone'),
  deduplicateSimilarURLs: z
    .boolean()
    .default(true)
    .describe('Take addresses for the same that differ in www, scheme, index page or a slash at the end'),
  limit: z.int().min(1).max(MOST_PAGES).default(DEFAULT_LIMIT).describe('Pages in the result, at most'),
  crawlEntireDomain: z.boolean().default(false).describe('Not only what is below the start, but the whole site'),
  allowExternalLinks: z.boolean().default(false).describe('Also pages of other sites that the site links to: one hop'),
  allowSubdomains: z.boolean().default(false).describe('Also other hosts under the same domain'),
  robotsUserAgent: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be a name as robots.txt has it: letters, digits, - and _')
    .default(ROBOTS_AGENT)
    .describe('Whose rules of robots.txt hold'),
  delay: z
    .number()
    .min(0)
    .max(MOST_DELAY)
    .default(0)
    .describe('Seconds between two pages; more than 0 goes with one page at a time'),
};

export type CrawlFields = z.infer<z.ZodObject<typeof crawlFields>>;

/** The fields that both versions have as the capability takes them. */
export function toSharedCrawlOptions(body: CrawlFields): Omit<CrawlOptions, 'maxDepth' | 'sitemap'> {
  return {
    url: body.url,
    crawlEntireDomain: body.crawlEntireDomain,
    allowSubdomains: body.allowSubdomains,
    allowExternalLinks: body.allowExternalLinks,
    includePaths: body.includePaths,
    excludePaths: body.excludePaths,
    regexOnFullURL: body.regexOnFullURL,
    maxDiscoveryDepth: body.maxDiscoveryDepth ?? null,
    ignoreQueryParameters: body.ignoreQueryParameters,
    deduplicateSimilarURLs: body.deduplicateSimilarURLs,
    ignoreRobotsTxt: body.ignoreRobotsTxt,
    robotsUserAgent: body.robotsUserAgent,
    limit: body.limit,
    delay: body.delay,
    maxConcurrency: body.maxConcurrency ?? null,
  };
}

/** What is told of a crawl that runs: what was asked for, without headers and webhook, which can hold passwords. */
export function toAsked(
  { url: _url, origin: _origin, integration: _integration, webhook: _webhook, ...options }: Record<string, unknown>,
  { headers: _headers, ...scrapeOptions }: Record<string, unknown>,
): Record<string, unknown> {
  return { ...options, scrapeOptions };
}

const active = z.object({
  id: z.string(),
  teamId: z.string(),
  url: z.string(),
  status: z.literal('scraping'),
  created_at: z.string(),
  options: z.looseObject({}),
});

/** The contract's file asks for the list under `data`, its clients read `crawls`. */
export const activeCrawlsAnswer = z.object({
  success: z.literal(true),
  crawls: z.array(active),
  data: z.array(active),
});

export function toActiveAnswer(teamId: string, crawls: readonly ActiveCrawl[]): z.infer<typeof activeCrawlsAnswer> {
  const list = crawls.map(({ id, url, createdAt, asked }) => ({
    id,
    teamId,
    url,
    status: 'scraping' as const,
    created_at: isoTime(createdAt),
    options: asked,
  }));
  return { success: true, crawls: list, data: list };
}
