import { z } from 'zod';
import type { StoredCrawl } from '../../crawl/crawl-options.ts';
import { paramsFromWords } from '../../crawl/params-from-words.ts';
import { crawlFields, toAsked, toSharedCrawlOptions } from '../crawl-answers.ts';
import { toJobOptions } from '../job-answers.ts';
import * as field from '../scrape-fields.ts';
import { scrapeOptionFields, toScrapeOptions } from './scrape-options.ts';

export const prompt = z
  .string()
  .min(1)
  .max(10_000)
  .describe('What to crawl, in words, such as "only the blog, at most 50 pages"');

const fields = z.strictObject({
  ...crawlFields,
  ...field.originFields,
  prompt: prompt.optional(),
  sitemap: z
    .enum(['include', 'skip', 'only'])
    .default('include')
    .describe('Whether pages are found by the sitemaps of the site too, or by them only'),
  scrapeOptions: z.strictObject(scrapeOptionFields).prefault({}).describe('How each page is scraped'),
});

/** What a crawl is asked for. Of the fields that the prompt says too, those that are written count. */
export const crawlBody = z.preprocess(withPrompt, fields);

function withPrompt(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('prompt' in body) || typeof body.prompt !== 'string') return body;
  return { ...paramsFromWords(body.prompt), ...body };
}

/** A crawl of the contract as the capability takes it. */
export function toCrawl(body: z.infer<typeof crawlBody>): StoredCrawl {
  const { zeroDataRetention } = toJobOptions(body);
  return {
    options: { ...toSharedCrawlOptions(body), sitemap: body.sitemap, maxDepth: null },
    page: { ...toScrapeOptions(body.scrapeOptions), zeroDataRetention },
    asked: toAsked(body, body.scrapeOptions),
  };
}
