import type { Logger } from 'pino';
import type { BrowserState } from '../browser/browser-engine.ts';
import type { Config } from '../config.ts';
import type { Poster } from '../fetch/types.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { JobNews } from '../jobs/job-news.ts';
import type { JobServices } from '../jobs/start-job.ts';
import { createLanguageModel, type LanguageModel } from '../llm/language-model.ts';
import { JobRenders } from '../pages/job-renders.ts';
import { PageWorkers } from '../pages/page-workers/page-workers.ts';
import type { ScrapeServices } from '../pages/services.ts';
import type { ArtifactStore, PageStages } from '../pages/stages.ts';
import { RobotsCache } from '../site/robots-cache.ts';
import { createSiteFetcher } from '../site/site-fetcher.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { AWAY_MS, outlast, StoreAway } from '../store/store-away.ts';
import { createPriceList } from '../team/prices.ts';
import { RunningWork } from '../team/running.ts';
import { browserReports } from './browser-reports.ts';
import { checkedKeeper } from './bytes-keeper.ts';
import { jobKinds } from './job-kinds.ts';
import { keepArtifacts } from './keep-artifacts.ts';
import { createLogger } from './logger.ts';
import { Metrics } from './metrics.ts';
import { pageStages } from './page-stages.ts';
import { siteFetcherOptions } from './site-fetcher-options.ts';
import { storeState } from './store-state.ts';

/** Everything that each process of the service opens: store, egress, threads for pages. */
export interface Parts {
  logger: Logger;
  metrics: Metrics;
  scrapeServices: ScrapeServices;
  /** Shared by everything that fetches from sites politely: jobs and maps. */
  robots: RobotsCache;
  poster: Poster;
  /** Whether pages can be rendered. */
  browserState: () => Promise<BrowserState>;
  /** Undefined when none is configured. */
  model: LanguageModel | undefined;
  /** Starts jobs, and wakes the worker of this process for them. */
  jobServices: ScrapeServices & JobServices;
  /** Every kind of job. */
  kinds: readonly JobKind[];
  /** Wakes this worker when a job starts here. */
  setWorker(worker: { wake(): void }): void;
  news: JobNews;
  /** The teams with enough pages waiting to be parsed. */
  fullTeams: () => readonly string[];
  /** The jobs with enough pages in the browser. */
  fullJobs: () => readonly number[];
  close(): Promise<void>;
}

/** Parts of a service that are not determined by its settings. */
export interface PartsGiven {
  /** Every kind of job. */
  kinds?: typeof jobKinds;
  /** Additional stages of the page pipeline. */
  stages?: PageStages;
  artifacts?: ArtifactStore;
}

export async function openParts(
  config: Config,
  { kinds = jobKinds, stages = pageStages(config), artifacts }: PartsGiven = {},
): Promise<Parts> {
  const logger = createLogger(config.logLevel);
  const metrics = new Metrics();
  // Before the store: when one of these settings is invalid, nothing is open yet.
  const fetcher = createSiteFetcher({
    ...siteFetcherOptions(config),
    browserReports: browserReports(logger, metrics),
  });
  const store = await openWhenThere(config, logger, metrics);
  if (config.databaseUrl !== undefined && config.secret === undefined) logger.warn(SECRET_IN_DATABASE);
  const pageWorkers = new PageWorkers();
  metrics.watch({ store: storeState(store), readers: () => pageWorkers.load, browser: () => fetcher.browser.load });
  const model = config.llm && createLanguageModel(config.llm);
  const scrapeServices: ScrapeServices = {
    store,
    fetcher,
    read: pageWorkers.read,
    stages,
    artifacts: artifacts ?? keepArtifacts(store, config),
    prices: createPriceList(store),
    running: new RunningWork(),
    // While the database is unreachable this happens a few times a second, and the stack says nothing.
    onError: (err, what) =>
      err instanceof StoreAway ? logger.warn(`${what}. ${err.message}`) : logger.error({ err }, what),
    resultMs: config.resultMs,
    counts: metrics,
  };
  const robots = new RobotsCache(fetcher);
  const renders = new JobRenders();
  let worker: { wake(): void } | undefined;
  const jobServices = { ...scrapeServices, checkTarget: fetcher.checkTarget, wakeWorker: () => worker?.wake() };
  return {
    logger,
    metrics,
    scrapeServices,
    robots,
    poster: fetcher,
    browserState: () => fetcher.browser.state(),
    model,
    jobServices,
    kinds: kinds({
      ...jobServices,
      pack: pageWorkers.pack,
      readInBackground: pageWorkers.readInBackground,
      renders,
      robots,
    }),
    setWorker(started) {
      worker = started;
    },
    news: new JobNews(),
    fullTeams: () => pageWorkers.full,
    fullJobs: () => renders.full,
    async close() {
      await pageWorkers.close();
      await model?.close();
      await fetcher.close();
      await store.close();
    },
  };
}

const SECRET_IN_DATABASE =
  'TRAWL_SECRET is not set, so the encryption secret is stored in the database that it protects: anyone with a copy of the database can decrypt it. Set TRAWL_SECRET to the same value for every process.';

/** A service and its database often start together, and the database is ready soon. */
async function openWhenThere(config: Config, logger: Logger, { countOperation: onOperation }: Metrics): Promise<Store> {
  const keeper = await checkedKeeper(config);
  const { databaseUrl, dataDir, secret } = config;
  let warned = false;
  const onBytesAway = ({ message }: Error) =>
    logger.warn(`${message} Until that works, large results are stored in the database.`);
  return outlast(
    () => openStore({ databaseUrl, dataDir, secret, keeper, onOperation, onBytesAway }),
    ({ message }) => {
      if (!warned) logger.warn(`${message} Waiting for it, at most ${AWAY_MS / 1000} s.`);
      warned = true;
    },
  );
}
