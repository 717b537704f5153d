import { z } from 'zod';
import { isoTime } from '../clock.ts';
import type { ActiveCrawl } from '../crawl/active-crawls.ts';
import type { CrawlOptions } from '../crawl/crawl-options.ts';
import { type CRAWL_DEFAULTS, crawlParamFields } from '../crawl/crawl-params.ts';
import type { CrawlCall } from '../crawl/start-crawl.ts';
import { ROBOTS_AGENT } from '../site/polite-fetcher.ts';
import { jobFields } from './jobs.ts';
import { targetUrl } from './scrape.ts';

/** The fields that start a crawl in both API versions, and the list of active crawls. */

/** Fields of a crawl that both versions have, besides the options of its pages. */
export const crawlFields = {
  ...jobFields,
  ...crawlParamFields,
  url: targetUrl,
  regexOnFullURL: z
    .boolean()
    .default(false)
    .describe('Match the patterns against the whole address, not only its path'),
  robotsUserAgent: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be a user agent as in robots.txt: letters, digits, - and _')
    .default(ROBOTS_AGENT)
    .describe('The user agent whose robots.txt rules apply'),
};

export type CrawlFields = z.infer<z.ZodObject<typeof crawlFields>>;

/** Converts the fields that both versions have to crawl options. */
export function toSharedCrawlOptions(
  body: CrawlFields & typeof CRAWL_DEFAULTS,
): Omit<CrawlOptions, 'maxDepth' | 'sitemap'> {
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

/** Two requests are the same one if they have the same key and the same body. */
export function idempotencyOf(key: string | undefined, body: unknown): CrawlCall['idempotency'] {
  return key === undefined ? null : { key, text: JSON.stringify(body) };
}

/**
 * The options shown for an active crawl: those of the request, without headers and webhook, which can hold passwords.
 */
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
  options: z.looseObject({}).describe('The options of the request, without those over 4,000 characters'),
});

export const activeQuery = z.object({
  skip: z.coerce.number().int().min(0).default(0).describe('Number of crawls to skip, newest first'),
  limit: z.coerce.number().int().min(1).max(100).default(100).describe('Maximum number of crawls in the response'),
});

/** The contract's file has the list under `data`; its clients read `crawls`. */
export const activeCrawlsAnswer = z.object({
  success: z.literal(true),
  crawls: z.array(active),
  data: z.array(active),
  next: z.string().optional().describe('Address of the next part of the list; absent at the end'),
});

export function toActiveAnswer(
  teamId: string,
  crawls: readonly ActiveCrawl[],
  next?: string,
): z.infer<typeof activeCrawlsAnswer> {
  const list = crawls.map(({ id, url, createdAt, asked }) => ({
    id,
    teamId,
    url,
    status: 'scraping' as const,
    created_at: isoTime(createdAt),
    options: asked,
  }));
  return { success: true, crawls: list, data: list, ...(next === undefined ? {} : { next }) };
}
