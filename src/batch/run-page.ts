import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import type { RunTask, TaskOutcome } from '../jobs/task.ts';
import { PageCache } from '../pages/page-cache.ts';
import { missCharge, pageCharge } from '../pages/page-charge.ts';
import type { PageServices } from '../pages/page-services.ts';
import { scrapeJobPage } from '../pages/scrape-job-page.ts';
import { policed } from '../site/policed.ts';
import { PaceUnknown, politeFetcher, ROBOTS_AGENT, RobotsBlocked } from '../site/polite-fetcher.ts';
import type { BatchOptions } from './start-batch.ts';

/** Scrapes one page of a batch. It is charged as the result is stored, in one transaction. */
export function batchPages(services: PageServices): RunTask {
  return async (page, signal): Promise<TaskOutcome> => {
    const { job, payload: url, tryId } = page;
    const { ignoreRobotsTxt, ...options }: BatchOptions = JSON.parse(job.options);
    const { fetcher, pack, prices, robots } = policed(services, options.threatProtection);
    const politely = politeFetcher(fetcher, {
      robots: ignoreRobotsTxt ? undefined : robots,
      agent: ROBOTS_AGENT,
      page,
    });
    using deadline = new Deadline(options.timeout, signal);
    const sources = {
      fetcher: politely,
      cache: new PageCache(services, job.teamId),
      share: job.teamId,
      pack,
    };
    try {
      const told = { id: tryId, credits: job.taskCredits };
      const { document, copy } = await scrapeJobPage(sources, { ...options, url }, told, deadline);
      return {
        type: 'done',
        document,
        copy,
        charge: pageCharge(page, 'batch', job.taskCredits),
        found: [],
        pace: politely.learnedPace,
      };
    } catch (error) {
      if (error instanceof RobotsBlocked) return { type: 'blocked' };
      if (error instanceof PaceUnknown) return { type: 'slow down', ...error.pace };
      if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_LOCKDOWN_CACHE_MISS') throw error;
      // To search the cache was all that it might do.
      return { type: 'failed', error, charge: missCharge(page, 'batch', (await prices()).lockdownMiss) };
    }
  };
}
