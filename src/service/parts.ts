import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createFetcher } from '../fetch/fetcher.ts';
import type { Poster } from '../fetch/types.ts';
import { JobNews } from '../jobs/job-news.ts';
import { createLanguageModel, type LanguageModel } from '../llm/language-model.ts';
import { type MakeDocument, type PackPage, PageWorkers } from '../pages/page-workers/page-workers.ts';
import type { ScrapeServices } from '../pages/services.ts';
import { type ArtifactStore, NO_STAGES, type PageStages } from '../pages/stages.ts';
import { RobotsCache } from '../site/robots-cache.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { AWAY_MS, outlast, StoreAway } from '../store/store-away.ts';
import { createPriceList } from '../team/prices.ts';
import { RunningWork } from '../team/running.ts';
import { createLogger } from './logger.ts';
import { Metrics } from './metrics.ts';
import { storeState } from './store-state.ts';

/** What every process of the service opens: store, way out, where pages are read. */
export interface Parts {
  logger: Logger;
  metrics: Metrics;
  scrapeServices: ScrapeServices;
  /** One for all that asks sites: their jobs and their maps. */
  robots: RobotsCache;
  poster: Poster;
  /** Undefined where none is set up. */
  model: LanguageModel | undefined;
  news: JobNews;
  /** Reads pages of jobs. */
  pack: PackPage;
  readAside: MakeDocument;
  /** The teams of which enough wait to be read. */
  satedTeams: () => readonly string[];
  close(): Promise<void>;
}

/** What is on the way of a page beside what every page meets. */
export interface OnTheWay {
  stages?: PageStages;
  artifacts?: ArtifactStore;
}

export async function openParts(config: Config, { stages = NO_STAGES, artifacts }: OnTheWay = {}): Promise<Parts> {
  const logger = createLogger(config.logLevel);
  const metrics = new Metrics();
  // Before the store: when one of its settings is not valid, nothing is open yet.
  const fetcher = createFetcher({
    allowNetworks: config.allowNetworks,
    proxy: config.proxy,
    enhancedProxy: config.enhancedProxy,
    maxBodyBytes: config.maxPageBytes,
  });
  const store = await openWhenThere(config, logger, metrics);
  if (config.databaseUrl !== undefined && config.secret === undefined) logger.warn(SECRET_IN_DATABASE);
  const pageWorkers = new PageWorkers();
  metrics.watch({ store: storeState(store), readers: () => pageWorkers.load });
  const model = config.llm && createLanguageModel(config.llm);
  return {
    logger,
    metrics,
    scrapeServices: {
      store,
      fetcher,
      read: pageWorkers.read,
      stages,
      artifacts,
      prices: createPriceList(store),
      running: new RunningWork(),
      // While the database is away this is told a few times a second, and its stack says nothing.
      onError: (err, what) =>
        err instanceof StoreAway ? logger.warn(`${what}. ${err.message}`) : logger.error({ err }, what),
      resultMs: config.resultMs,
      counts: metrics,
    },
    robots: new RobotsCache(fetcher),
    poster: fetcher,
    model,
    news: new JobNews(),
    pack: pageWorkers.pack,
    readAside: pageWorkers.readAside,
    satedTeams: () => pageWorkers.sated,
    async close() {
      await pageWorkers.close();
      await model?.close();
      await fetcher.close();
      await store.close();
    },
  };
}

const SECRET_IN_DATABASE =
  'TRAWL_SECRET is not set, so the secret that encrypts is kept in the database that it protects: whoever gets a copy of that can read all of it. Set TRAWL_SECRET, the same for every process.';

/** What starts together with its database is often there first. */
async function openWhenThere(
  { databaseUrl, dataDir, secret }: Config,
  logger: Logger,
  { countOperation: onOperation }: Metrics,
): Promise<Store> {
  let told = false;
  return outlast(
    () => openStore({ databaseUrl, dataDir, secret, onOperation }),
    ({ message }) => {
      if (!told) logger.warn(`${message} It is waited for, at most ${AWAY_MS / 1000} s.`);
      told = true;
    },
  );
}
