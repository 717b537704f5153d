import type { RobotsCache } from '../site/robots-cache.ts';
import type { MakeDocument, PackPage } from './page-workers/page-workers.ts';
import type { ScrapeServices } from './services.ts';

/** What the pages of jobs are scraped with. */
export interface PageServices
  extends Pick<ScrapeServices, 'store' | 'fetcher' | 'prices' | 'counts' | 'onError' | 'stages' | 'artifacts'> {
  pack: PackPage;
  readAside: MakeDocument;
  /** One for all jobs of a process. */
  robots: RobotsCache;
}
