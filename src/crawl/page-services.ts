import type { PackPage } from '../scrape/page-workers/page-workers.ts';
import type { ScrapeServices } from '../scrape/services.ts';
import type { RobotsCache } from './robots-cache.ts';

/** What the pages of jobs are scraped with. */
export interface PageServices extends Pick<ScrapeServices, 'store' | 'fetcher' | 'prices' | 'counts' | 'onError'> {
  pack: PackPage;
  /** One for all jobs of a process. */
  robots: RobotsCache;
}
