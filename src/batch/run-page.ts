import { now } from '../clock.ts';
import { RobotsCache } from '../crawl/robots-cache.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import type { JobPage, PageOutcome, RunPage } from '../jobs/page-work.ts';
import { backgroundTurn } from '../scrape/own-turn.ts';
import { PageCache } from '../scrape/page-cache.ts';
import { scrapePage } from '../scrape/scrape-page.ts';
import type { ScrapeServices } from '../scrape/services.ts';
import type { Charge } from '../store/operations/charges.ts';
import { PaceUnknown, politeFetcher, RobotsBlocked } from './polite-fetcher.ts';
import type { BatchOptions } from './start-batch.ts';

/** Scrapes one page of a batch. It is charged as the result is stored, in one transaction. */
export function batchPages({
  store,
  fetcher,
  read,
  prices,
}: Pick<ScrapeServices, 'store' | 'fetcher' | 'read' | 'prices'>): RunPage {
  const robots = new RobotsCache(fetcher);

  return async (page, signal): Promise<PageOutcome> => {
    const { job, url, scrapeId } = page;
    const { ignoreRobotsTxt, ...options }: BatchOptions = JSON.parse(job.options);
    const politeness = { robots: ignoreRobotsTxt ? undefined : robots, hostDelay: page.hostDelay };
    using deadline = new Deadline(options.timeout, signal);
    const sources = {
      fetcher: politeFetcher(fetcher, politeness),
      cache: new PageCache(store, job.teamId),
      read,
      turn: backgroundTurn,
    };
    try {
      const told = { id: scrapeId, credits: job.pageCredits };
      const { document } = await scrapePage(sources, { ...options, url }, told, deadline);
      return { type: 'done', document: JSON.stringify(document), charge: chargeOf(page, job.pageCredits), found: [] };
    } catch (error) {
      if (error instanceof RobotsBlocked) return { type: 'blocked' };
      if (error instanceof PaceUnknown) return { type: 'slow down', delay: error.delay };
      if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_LOCKDOWN_CACHE_MISS') throw error;
      // To search the cache was all that it might do.
      return { type: 'failed', error, charge: chargeOf(page, (await prices()).lockdownMiss) };
    }
  };
}

/** The page is in the key: however often it is worked on, it is charged once. */
function chargeOf({ job, key }: JobPage, credits: number): Charge {
  const { id, teamId, keyId } = job;
  return {
    teamId,
    key: `page:${id}:${key}`,
    keyId,
    capability: 'batch',
    jobId: id,
    credits,
    tokens: 0,
    chargedAt: now(),
  };
}
