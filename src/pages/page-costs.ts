import { type Cost, costOf, creditsOf, type Prices } from '../team/prices.ts';
import type { ScrapeOptions } from './request.ts';
import { mostOfStages, type PageStages } from './stages.ts';

/** What a page costs when it is delivered, whatever is on it. A copy from the cache costs the same as the page. */
export function pageCosts(prices: Prices, { lockdown, redactPII, zeroDataRetention }: ScrapeOptions): Cost[] {
  const costs = [costOf(prices, lockdown ? 'page with lockdown' : 'page')];
  if (redactPII !== undefined) costs.push(costOf(prices, 'redaction'));
  if (zeroDataRetention) costs.push(costOf(prices, 'zero data retention'));
  return costs;
}

/** What a page can cost at the most. */
export function mostPageCredits(prices: Prices, stages: PageStages, options: ScrapeOptions): number {
  return creditsOf([...pageCosts(prices, options), ...mostOfStages(stages, options, prices)]);
}
