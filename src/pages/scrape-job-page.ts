import type { RenderRequest } from '../browser/types.ts';
import type { Deadline } from '../deadline.ts';
import type { SiteFetcher } from '../site/site-fetcher.ts';
import type { Prices } from '../team/prices.ts';
import { jobPacking, type PackedJobPage } from './job-packing.ts';
import { PageCache } from './page-cache.ts';
import { pageCosts } from './page-costs.ts';
import { runPagePipeline } from './page-pipeline.ts';
import type { PageServices } from './page-services.ts';
import { openProfile } from './profile-session.ts';
import type { ScrapeRequest } from './request.ts';

/** A page of a job that is about to be scraped. */
export interface JobPageStart {
  request: ScrapeRequest;
  scrapeId: string;
  job: { job: number; teamId: string; taskCredits: number };
  /** The prices at the start of the job. Undefined for a job from a version that did not record them. */
  prices: Prices | undefined;
  /** A fetcher that keeps to robots.txt and the pace of the site. */
  fetcher: SiteFetcher;
  /** Where the caller reached the service when the job was started. */
  publicAddress: string | undefined;
}

/** Scrapes a page of a job. The caller has to store the result. Throws TrawlError. */
export async function scrapeJobPage(
  services: PageServices,
  { request, scrapeId, job, prices, fetcher, publicAddress }: JobPageStart,
  deadline: Deadline,
): Promise<PackedJobPage> {
  const { pack, readInBackground, renders, stages, artifacts } = services;
  const { teamId: share, taskCredits } = job;
  const cache = new PageCache(services, share);
  const start = {
    request,
    scrapeId,
    costs:
      prices === undefined ? [{ what: 'page' as const, count: 1, credits: taskCredits }] : pageCosts(prices, request),
    prices: prices ?? (await services.prices()),
  };
  const packing = jobPacking({ pack, readInBackground, cache, share }, request);
  const bounded = { ...fetcher, render: (page: RenderRequest) => renders.run(job.job, () => fetcher.render(page)) };
  await using profile = await openProfile(services, share, request);
  return await runPagePipeline(
    { fetcher: profile?.fetcherOf(bounded) ?? bounded, cache, share, stages, artifacts, publicAddress },
    packing,
    start,
    deadline,
  );
}
