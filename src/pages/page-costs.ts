import { type Cost, costOf, creditsOf, type Prices } from '../team/prices.ts';
import type { ScrapeOptions } from './request.ts';
import { maxStageCosts, type PageStages } from './stages.ts';

/** The cost of a delivered page, whatever its content. A copy from the cache costs the same as a fetched page. */
export function pageCosts(prices: Prices, { lockdown, redactPII, zeroDataRetention }: ScrapeOptions): Cost[] {
  const costs = [costOf(prices, lockdown ? 'page with lockdown' : 'page')];
  if (redactPII !== undefined) costs.push(costOf(prices, 'redaction'));
  if (zeroDataRetention) costs.push(costOf(prices, 'zero data retention'));
  return costs;
}

/** The maximum cost of a page. */
export function maxPageCredits(prices: Prices, stages: PageStages, options: ScrapeOptions): number {
  return creditsOf([...pageCosts(prices, options), ...maxStageCosts(stages, options, prices)]);
}
