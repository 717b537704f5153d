import type { Logger } from 'pino';
import { batchPages } from '../batch/run-page.ts';
import type { Config } from '../config.ts';
import { RobotsCache } from '../crawl/robots-cache.ts';
import { crawlPages } from '../crawl/run-page.ts';
import { createFetcher } from '../fetch/fetcher.ts';
import type { Poster } from '../fetch/types.ts';
import { JobNews } from '../jobs/job-news.ts';
import { Worker } from '../jobs/worker.ts';
import { createLanguageModel, type LanguageModel } from '../llm/language-model.ts';
import { type PackPage, PageWorkers } from '../scrape/page-workers/page-workers.ts';
import type { ScrapeServices } from '../scrape/services.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { AWAY_MS, outlast, StoreAway } from '../store/store-away.ts';
import { createPlanConcurrency } from '../team/plan-concurrency.ts';
import { createPriceList } from '../team/prices.ts';
import { RunningWork } from '../team/running.ts';
import { Courier } from '../webhook/courier.ts';
import { createLogger } from './logger.ts';
import { startRetention } from './retention.ts';

/** What every process of the service opens: store, way out, where pages are read. */
export interface Parts {
  logger: Logger;
  scrapeServices: ScrapeServices;
  /** One for all that asks sites: their jobs and their maps. */
  robots: RobotsCache;
  poster: Poster;
  /** Undefined where none is set up. */
  model: LanguageModel | undefined;
  news: JobNews;
  /** Reads pages of jobs. */
  pack: PackPage;
  /** The teams of which enough wait to be read. */
  satedTeams: () => readonly string[];
  close(): Promise<void>;
}

export async function openParts(config: Config): Promise<Parts> {
  const logger = await createLogger(config.logLevel);
  const store = await openWhenThere(config, logger);
  const fetcher = createFetcher({
    allowNetworks: config.allowNetworks,
    proxy: config.proxy,
    enhancedProxy: config.enhancedProxy,
    maxBodyBytes: config.maxPageBytes,
  });
  const pageWorkers = new PageWorkers();
  const model = config.llm && createLanguageModel(config.llm);
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
    poster: fetcher,
    model,
    news: new JobNews(),
    pack: pageWorkers.pack,
    satedTeams: () => pageWorkers.sated,
    async close() {
      await pageWorkers.close();
      await model?.close();
      await fetcher.close();
      await store.close();
    },
  };
}

/** What starts together with its database is often there first. */
async function openWhenThere({ databaseUrl, dataDir }: Config, logger: Logger): Promise<Store> {
  let told = false;
  return outlast(
    () => openStore({ databaseUrl, dataDir }),
    ({ message }) => {
      if (!told) logger.warn(`${message} It is waited for, at most ${AWAY_MS / 1000} s.`);
      told = true;
    },
  );
}

/** What works on jobs, tells of them, and works on what recurs. */
export interface JobWorker {
  wake(): void;
  readonly isWorking: boolean;
  close(): Promise<void>;
}

export async function startJobWorker(
  config: Config,
  { logger, scrapeServices, robots, pack, satedTeams, poster, news }: Parts,
): Promise<JobWorker> {
  const { store } = scrapeServices;
  // While the database is away this is told a few times a second, and its stack says nothing.
  const onError = (err: unknown, what: string) =>
    err instanceof StoreAway ? logger.warn(`${what}. ${err.message}`) : logger.error({ err }, what);
  const courier = new Courier({ store, poster, onError });
  const pageServices = { ...scrapeServices, pack, robots };
  const worker = new Worker({
    store,
    kinds: { batch: batchPages(pageServices), crawl: crawlPages(pageServices) },
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
  const retention = startRetention(store, config.cacheBytes, logger);
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
