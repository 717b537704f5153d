import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import type { RunTask, TaskOutcome } from '../jobs/task.ts';
import { missCharge, pageCharge } from '../pages/page-charge.ts';
import type { PageServices } from '../pages/page-services.ts';
import { scrapeJobPage } from '../pages/scrape-job-page.ts';
import { policed } from '../site/policed.ts';
import { PaceUnknown, politeFetcher, ROBOTS_AGENT, RobotsBlocked } from '../site/polite-fetcher.ts';
import type { StoredBatch } from './start-batch.ts';

/** Scrapes one page of a batch. The charge is written with the result, in one transaction. */
export function batchPages(services: PageServices): RunTask {
  return async (page, signal): Promise<TaskOutcome> => {
    const { job, payload: url, tryId: scrapeId } = page;
    const { ignoreRobotsTxt, prices, publicAddress, ...options }: StoredBatch = JSON.parse(job.options);
    const own = policed(services, options.threatProtection);
    const fetcher = politeFetcher(own.fetcher, {
      robots: ignoreRobotsTxt ? undefined : own.robots,
      agent: ROBOTS_AGENT,
      page,
    });
    using deadline = new Deadline(options.timeout, signal);
    try {
      const start = { request: { ...options, url }, scrapeId, job, prices, fetcher, publicAddress };
      const { document, copy, costs } = await scrapeJobPage(own, start, deadline);
      return {
        type: 'done',
        document,
        copy,
        charge: pageCharge(page, 'batch', costs),
        found: [],
        pace: fetcher.learnedPace,
      };
    } catch (error) {
      if (error instanceof RobotsBlocked) return { type: 'blocked' };
      if (error instanceof PaceUnknown) return { type: 'slow down', ...error.pace };
      if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_LOCKDOWN_CACHE_MISS') throw error;
      // A cache lookup was all that the page allowed.
      return { type: 'failed', error, charge: missCharge(page, 'batch', await own.prices()) };
    }
  };
}
