import { batchPages } from '../batch/run-page.ts';
import type { Config } from '../config.ts';
import { crawlPages } from '../crawl/run-page.ts';
import { Worker } from '../jobs/worker.ts';
import { createPlanConcurrency } from '../team/plan-concurrency.ts';
import { Courier } from '../webhook/courier.ts';
import { counted } from './counted.ts';
import type { Parts } from './parts.ts';
import { startRetention } from './retention.ts';

/** What works on jobs, tells of them, and works on what recurs. */
export interface JobWorker {
  wake(): void;
  readonly isWorking: boolean;
  close(): Promise<void>;
}

export async function startJobWorker(
  config: Config,
  { logger, metrics, scrapeServices, robots, pack, readAside, satedTeams, poster, news }: Parts,
): Promise<JobWorker> {
  const { store, onError } = scrapeServices;
  const courier = new Courier({ store, poster, onError, onTried: (result) => metrics.countDelivery(result) });
  const pageServices = { ...scrapeServices, pack, readAside, robots };
  const worker = new Worker({
    store,
    kinds: {
      batch: counted(metrics, 'batch', batchPages(pageServices)),
      crawl: counted(metrics, 'crawl', crawlPages(pageServices)),
    },
    slots: config.workerConcurrency,
    satedTeams,
    concurrency: createPlanConcurrency(store),
    onError,
    onStored(jobs) {
      news.tell(jobs);
      courier.wake();
    },
  });
  await worker.start();
  courier.start();
  const retention = startRetention(store, config, logger);
  return {
    wake() {
      worker.wake();
      courier.wake();
    },
    get isWorking() {
      return worker.isWorking;
    },
    async close() {
      retention.stop();
      await worker.close();
      await courier.close();
    },
  };
}
