import type { RobotsCache } from '../site/robots-cache.ts';
import type { PackPage } from './page-workers/page-workers.ts';
import type { ScrapeServices } from './services.ts';

/** What the pages of jobs are scraped with. */
export interface PageServices extends Pick<ScrapeServices, 'store' | 'fetcher' | 'prices' | 'counts' | 'onError'> {
  pack: PackPage;
  /** One for all jobs of a process. */
  robots: RobotsCache;
}
