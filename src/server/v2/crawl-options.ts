import { z } from 'zod';
import { CRAWL_DEFAULTS, type CrawlParams } from '../../crawl/crawl-params.ts';
import type { CrawlCall } from '../../crawl/start-crawl.ts';
import { crawlFields, toAsked, toSharedCrawlOptions } from '../crawl-answers.ts';
import * as field from '../scrape-fields.ts';
import { scrapeOptionFields, toScrapeOptions } from './scrape-options.ts';

export const prompt = z
  .string()
  .min(1)
  .max(10_000)
  .describe('What to crawl, in words, such as "only the blog, at most 50 pages"');

const DEFAULTS = { ...CRAWL_DEFAULTS, sitemap: 'include' } as const;

/** What a crawl is asked for. Of the fields that the prompt says too, those that are written count. */
export const crawlBody = z.strictObject({
  ...crawlFields,
  ...field.originFields,
  prompt: prompt.optional(),
  sitemap: z.enum(['include', 'skip', 'only']).exactOptional().meta({
    description: 'Whether pages are found by the sitemaps of the site too, or by them only',
    default: DEFAULTS.sitemap,
  }),
  scrapeOptions: z.strictObject(scrapeOptionFields).prefault({}).describe('How each page is scraped'),
});

/**
 * A crawl of the contract as the capability takes it.
 * @param said what its prompt was taken for
 */
export function toCrawl(
  written: z.infer<typeof crawlBody>,
  said: CrawlParams,
): Pick<CrawlCall, 'options' | 'page' | 'asked'> {
  const body = { ...DEFAULTS, ...said, ...written };
  return {
    options: { ...toSharedCrawlOptions(body), sitemap: body.sitemap, maxDepth: null },
    page: { ...toScrapeOptions(body.scrapeOptions), zeroDataRetention: body.zeroDataRetention },
    asked: toAsked(body, body.scrapeOptions),
  };
}
