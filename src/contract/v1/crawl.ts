import { z } from 'zod';
import { CRAWL_DEFAULTS } from '../../crawl/crawl-params.ts';
import type { CrawlCall } from '../../crawl/start-crawl.ts';
import { checkBrowserOptions, checkKeepsNothing } from '../browser-options.ts';
import { crawlFields, toAsked, toSharedCrawlOptions } from '../crawl.ts';
import { originFields } from '../scrape.ts';
import { scrapeOptionFields, toScrapeOptions } from './scrape-options.ts';

/** The body that starts a crawl. */
export const crawlBody = z
  .strictObject({
    ...crawlFields,
    ...originFields,
    maxDepth: z
      .int()
      .min(0)
      .default(10)
      .describe('Maximum depth of a path, counted in segments from the root of the site'),
    ignoreSitemap: z.boolean().default(false),
    allowBackwardLinks: z.boolean().default(false).describe('The older name of "crawlEntireDomain"'),
    scrapeOptions: z
      .strictObject(scrapeOptionFields)
      .superRefine(checkBrowserOptions)
      .prefault({})
      .describe('How each page is scraped'),
  })
  .superRefine((body, context) => {
    if (body.zeroDataRetention) checkKeepsNothing(body.scrapeOptions, context, ['scrapeOptions']);
  });

/** Converts a crawl request. */
export function toCrawl(written: z.infer<typeof crawlBody>): Pick<CrawlCall, 'options' | 'page' | 'asked'> {
  const body = { ...CRAWL_DEFAULTS, ...written };
  const shared = toSharedCrawlOptions(body);
  return {
    options: {
      ...shared,
      crawlEntireDomain: shared.crawlEntireDomain || body.allowBackwardLinks,
      sitemap: body.ignoreSitemap ? 'skip' : 'include',
      maxDepth: body.maxDepth,
    },
    page: { ...toScrapeOptions(body.scrapeOptions), zeroDataRetention: body.zeroDataRetention },
    asked: toAsked(body, body.scrapeOptions),
  };
}
