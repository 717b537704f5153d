import type { Prices } from '../team/prices.ts';
import type { ScrapeOptions } from './request.ts';

/** What a scrape costs when it completes, in credits; a copy from the cache costs the same as the page. */
export function scrapeCredits(prices: Prices, request: ScrapeOptions): number {
  const page = request.lockdown ? prices.lockdownHit : prices.scrape;
  const redaction = request.redactPII === undefined ? 0 : prices.redaction;
  return page + redaction + (request.zeroDataRetention ? prices.zeroDataRetention : 0);
}
