import type { ScrapeRequest } from './request.ts';

/** What a scrape costs, in credits, by the price list of the contract (section Team). */
export function scrapeCredits(request: ScrapeRequest): number {
  const page = request.lockdown ? 5 : 1;
  return page + (request.redactPII === undefined ? 0 : 4) + (request.zeroDataRetention ? 1 : 0);
}
