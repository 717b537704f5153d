import { z } from 'zod';
import type { ScrapeRequest } from '../../pages/request.ts';
import { checkBrowserOptions } from '../browser-options.ts';
import { sharedFields } from '../scrape.ts';
import { scrapeOptionFields, toScrapeOptions } from './scrape-options.ts';

/** The body of a scrape. */
export const scrapeBody = z.strictObject({ ...sharedFields, ...scrapeOptionFields }).superRefine(checkBrowserOptions);

export function toScrapeRequest(body: z.infer<typeof scrapeBody>): ScrapeRequest {
  return { url: body.url, zeroDataRetention: body.zeroDataRetention, ...toScrapeOptions(body) };
}
