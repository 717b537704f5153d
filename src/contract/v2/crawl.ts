import { z } from 'zod';
import { CRAWL_DEFAULTS, type CrawlParams } from '../../crawl/crawl-params.ts';
import type { CrawlCall } from '../../crawl/start-crawl.ts';
import { checkBrowserOptions, checkKeepsNothing, checkSavesNoProfile } from '../browser-options.ts';
import { crawlFields, toAsked, toSharedCrawlOptions } from '../crawl.ts';
import * as field from '../scrape.ts';
import { scrapeOptionFields, toScrapeOptions } from './scrape-options.ts';
import { DEFAULT_SITEMAP, sitemapFields, writtenSitemap } from './sitemap.ts';

const prompt = z
  .string()
  .min(1)
  .max(10_000)
  .describe('What to crawl in plain words, such as "only the blog, at most 50 pages"');

/** The body that starts a crawl. A written field overrides what the prompt says. */
export const crawlBody = z
  .strictObject({
    ...crawlFields,
    ...field.originFields,
    prompt: prompt.optional(),
    ...sitemapFields,
    // Some clients put this here instead of beside `scrapeOptions`.
    scrapeOptions: z
      .strictObject({
        ...scrapeOptionFields,
        ...field.originFields,
        zeroDataRetention: z.boolean().default(false).describe('The same as beside "scrapeOptions"'),
      })
      .superRefine(checkBrowserOptions)
      .prefault({})
      .describe('How each page is scraped'),
  })
  .superRefine((body, context) => {
    checkSavesNoProfile(body.scrapeOptions, context, ['scrapeOptions']);
    if (body.zeroDataRetention) checkKeepsNothing(body.scrapeOptions, context, ['scrapeOptions']);
  });

/** The body that previews a prompt. */
export const previewBody = z.strictObject({ url: field.targetUrl, prompt, ...field.originFields });

export const previewAnswer = z.object({
  success: z.literal(true),
  warning: z.string().optional().describe('Parts of the prompt that could not be used, and why'),
  data: z.looseObject({ url: z.string() }).describe('The options that the prompt means'),
});

/**
 * Converts a crawl request.
 * @param said what the prompt was understood as
 */
export function toCrawl(
  written: z.infer<typeof crawlBody>,
  said: CrawlParams,
): Pick<CrawlCall, 'options' | 'page' | 'asked'> {
  const sitemap = writtenSitemap(written) ?? said.sitemap ?? DEFAULT_SITEMAP;
  const body = { ...CRAWL_DEFAULTS, ...said, ...written, sitemap };
  return {
    options: { ...toSharedCrawlOptions(body), sitemap, maxDepth: null },
    page: {
      ...toScrapeOptions(body.scrapeOptions),
      zeroDataRetention: body.zeroDataRetention || body.scrapeOptions.zeroDataRetention,
    },
    asked: toAsked(body, body.scrapeOptions),
  };
}
