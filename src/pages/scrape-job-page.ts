import type { Deadline } from '../deadline.ts';
import type { Fetcher } from '../fetch/types.ts';
import type { Prices } from '../team/prices.ts';
import { jobPacking, type PackedJobPage } from './job-packing.ts';
import { PageCache } from './page-cache.ts';
import { pageCosts } from './page-costs.ts';
import type { PageServices } from './page-services.ts';
import { goPageWay } from './page-way.ts';
import type { ScrapeRequest } from './request.ts';

/** A page of a job before it is scraped. */
export interface JobPageStart {
  request: ScrapeRequest;
  scrapeId: string;
  job: { teamId: string; taskCredits: number };
  /** Those of the moment when the job started; undefined for a job of a version that did not keep them. */
  prices: Prices | undefined;
  /** The way out, with the manners towards the site. */
  fetcher: Fetcher;
  /** Where the caller reached the service when the job was started. */
  publicAddress: string | undefined;
}

/** The scrape of a page of a job, stored by nobody yet. Throws TrawlError. */
export async function scrapeJobPage(
  services: PageServices,
  { request, scrapeId, job, prices, fetcher, publicAddress }: JobPageStart,
  deadline: Deadline,
): Promise<PackedJobPage> {
  const { pack, readAside, stages, artifacts } = services;
  const { teamId: share, taskCredits } = job;
  const cache = new PageCache(services, share);
  const start = {
    request,
    scrapeId,
    costs:
      prices === undefined ? [{ what: 'page' as const, count: 1, credits: taskCredits }] : pageCosts(prices, request),
    prices: prices ?? (await services.prices()),
  };
  const packing = jobPacking({ pack, readAside, cache, share }, request);
  return goPageWay({ fetcher, cache, share, stages, artifacts, publicAddress }, packing, start, deadline);
}
