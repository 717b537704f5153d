import type { Logger } from 'pino';
import { batchPages } from '../batch/run-page.ts';
import type { Config } from '../config.ts';
import { RobotsCache } from '../crawl/robots-cache.ts';
import { crawlPages } from '../crawl/run-page.ts';
import { createFetcher } from '../fetch/fetcher.ts';
import { Worker } from '../jobs/worker.ts';
import { PageWorkers, type ReadDocument } from '../scrape/page-workers/page-workers.ts';
import type { ScrapeServices } from '../scrape/services.ts';
import { openStore } from '../store/open-store.ts';
import { createPlanConcurrency } from '../team/plan-concurrency.ts';
import { createPriceList } from '../team/prices.ts';
import { RunningWork } from '../team/running.ts';
import { createLogger } from './logger.ts';
import { startRetention } from './retention.ts';

/** What every process of the service opens: store, way out, where pages are read. */
export interface Parts {
  logger: Logger;
  scrapeServices: ScrapeServices;
  /** One for all that asks sites: their jobs and their maps. */
  robots: RobotsCache;
  /** Reads pages of jobs. */
  readAside: ReadDocument;
  close(): Promise<void>;
}

export async function openParts(config: Config): Promise<Parts> {
  const logger = await createLogger(config.logLevel);
  const store = await openStore({ databaseUrl: config.databaseUrl, dataDir: config.dataDir });
  const fetcher = createFetcher({
    allowNetworks: config.allowNetworks,
    proxy: config.proxy,
    enhancedProxy: config.enhancedProxy,
    maxBodyBytes: config.maxPageBytes,
  });
  const pageWorkers = new PageWorkers();
  return {
    logger,
    scrapeServices: {
      store,
      fetcher,
      read: pageWorkers.read,
      prices: createPriceList(store),
      running: new RunningWork(),
      resultMs: config.resultMs,
    },
    robots: new RobotsCache(fetcher),
    readAside: pageWorkers.readAside,
    async close() {
      await pageWorkers.close();
      await fetcher.close();
      await store.close();
    },
  };
}

/** What works on jobs and on what recurs. */
export interface JobWorker {
  wake(): void;
  readonly isWorking: boolean;
  close(): Promise<void>;
}

export async function startJobWorker(config: Config, parts: Parts): Promise<JobWorker> {
  const { logger, scrapeServices, robots, readAside } = parts;
  const { store } = scrapeServices;
  const pageServices = { ...scrapeServices, read: readAside, robots };
  const worker = new Worker({
    store,
    kinds: { batch: batchPages(pageServices), crawl: crawlPages(pageServices) },
    slots: config.workerConcurrency,
    concurrency: createPlanConcurrency(store),
    onError: (err, what) => logger.error({ err }, what),
  });
  await worker.start();
  const retention = startRetention(store, config.cacheBytes, logger);
  return {
    wake: () => worker.wake(),
    get isWorking() {
      return worker.isWorking;
    },
    async close() {
      retention.stop();
      await worker.close();
    },
  };
}
