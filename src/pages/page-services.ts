import type { RobotsCache } from '../site/robots-cache.ts';
import type { JobRenders } from './job-renders.ts';
import type { MakeDocument, PackPage } from './page-workers/page-workers.ts';
import type { ScrapeServices } from './services.ts';

/** The services that scrape the pages of jobs. */
export interface PageServices
  extends Pick<ScrapeServices, 'store' | 'fetcher' | 'prices' | 'counts' | 'onError' | 'stages' | 'artifacts'> {
  pack: PackPage;
  readInBackground: MakeDocument;
  renders: JobRenders;
  /** One cache for all jobs of a process. */
  robots: RobotsCache;
}
