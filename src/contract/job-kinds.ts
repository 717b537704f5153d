import type { JobKindOnTheWire } from '../jobs/job-kind.ts';
import { statusText } from './jobs.ts';

/** How the kinds of jobs that scrape pages appear in the API. */

export const BATCH_ON_THE_WIRE: JobKindOnTheWire = {
  path: 'batch/scrape',
  versions: ['v1', 'v2'],
  endpointGroup: 'batch',
  eventPrefix: 'batch_scrape',
  status: statusText,
};

export const CRAWL_ON_THE_WIRE: JobKindOnTheWire = {
  path: 'crawl',
  versions: ['v1', 'v2'],
  endpointGroup: 'crawl',
  eventPrefix: 'crawl',
  status: statusText,
};
