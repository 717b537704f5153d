import { batchPages } from '../batch/run-page.ts';
import { BATCH_ON_THE_WIRE, CRAWL_ON_THE_WIRE } from '../contract/job-kinds.ts';
import { crawlPages } from '../crawl/run-page.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { JobServices } from '../jobs/start-job.ts';
import type { PageServices } from '../pages/page-services.ts';

/** The dependencies of all kinds of jobs. */
export type KindServices = PageServices & JobServices;

/** Every kind of job. Workers run them; HTTP, WebSockets and webhooks report on them. */
export function jobKinds(services: KindServices): JobKind[] {
  return [
    { name: 'batch', run: batchPages(services), wire: BATCH_ON_THE_WIRE },
    { name: 'crawl', run: crawlPages(services), wire: CRAWL_ON_THE_WIRE },
  ];
}
