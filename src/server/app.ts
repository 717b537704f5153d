import type { FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { BatchServices } from '../batch/start-batch.ts';
import type { BrowserState } from '../browser/browser-engine.ts';
import type { CrawlServices } from '../crawl/start-crawl.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { JobNews } from '../jobs/job-news.ts';
import type { LanguageModel } from '../llm/language-model.ts';
import type { MapServices } from '../map/map.ts';
import type { ScrapeServices } from '../pages/services.ts';
import type { Metrics } from '../service/metrics.ts';
import type { Store } from '../store/store.ts';
import type { Keyless } from '../team/keyless.ts';
import type { RunningWork } from '../team/running.ts';
import { admission, admitCaller, requireGroups } from './admission.ts';
import { apiReference } from './api-reference.ts';
import { artifactRoute } from './artifact-route.ts';
import { createHttpServer, type HttpServerOptions } from './http-server.ts';
import { jobRoutes } from './job-routes.ts';
import { operatorRoutes } from './operator.ts';
import type { PublicAddress } from './public-address.ts';
import { addHeaderHooks, endConnections } from './request-headers.ts';
import { logRequests } from './request-log.ts';
import { answerErrors, openStreams } from './streams.ts';
import { teamReports } from './team-reports.ts';
import type { App } from './types.ts';
import { unavailableOperations } from './unavailable-operations.ts';
import { answerUnknownRoutes } from './unknown-routes.ts';
import { v1Batch } from './v1/batch.ts';
import { v1Crawl } from './v1/crawl.ts';
import { v1Map } from './v1/map.ts';
import { v1Scrape } from './v1/scrape.ts';
import { v2Batch } from './v2/batch.ts';
import { v2Crawl } from './v2/crawl.ts';
import { v2Map } from './v2/map.ts';
import { v2Scrape } from './v2/scrape.ts';
import { v2Team } from './v2/team.ts';

export interface AppOptions extends HttpServerOptions {
  store: Store;
  scrapeServices: ScrapeServices;
  mapServices: MapServices;
  jobServices: BatchServices & CrawlServices;
  /** Undefined when none is configured. */
  model: LanguageModel | undefined;
  /** Every kind of job. */
  kinds: readonly JobKind[];
  /** The jobs that this process works on. */
  news: JobNews;
  /** Whether any process works on jobs. */
  hasWorker: () => Promise<boolean>;
  browserState: () => Promise<BrowserState>;
  metrics: Metrics;
  /** The key for /metrics; if undefined, anyone can read them. */
  metricsKey: string | undefined;
  /** Undefined: calls without a key are refused. */
  keyless: Keyless | undefined;
  publicAddress: PublicAddress;
}

/** Builds the HTTP service: routes, authentication, errors, documentation. Does not listen yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const { metrics, publicAddress } = options;
  const app = createHttpServer(options);
  answerUnknownRoutes(app, publicAddress);
  const streams = await openStreams(app, metrics);
  addHeaderHooks(app);
  endConnections(app);
  answerErrors(app, logRequests(app, metrics));

  const withKey = (scope: App) => addRoutesWithKey(scope, options, streams);
  const withoutKey = (scope: App) => {
    artifactRoute(scope, options);
    operatorRoutes(scope, options);
  };
  await app.register(async (scope) => {
    scope.addHook('onRoute', requireGroups);
    scope.addHook('onRequest', admission(options));
    withKey(scope.withTypeProvider<ZodTypeProvider>());
  });
  withoutKey(app);
  apiReference(app, publicAddress, (scope) => {
    withKey(scope);
    withoutKey(scope);
  });
  return app;
}

/** Adds the routes that take a key, in the order of the API reference. */
function addRoutesWithKey(app: App, options: AppOptions, streams: RunningWork): void {
  const { scrapeServices, mapServices, model } = options;
  const admitAgain = async (request: FastifyRequest) => {
    await admitCaller(options, request);
  };
  const scrapes = { ...scrapeServices, publicAddress: options.publicAddress };
  const jobs = { ...options.jobServices, ...options, streams, admitAgain };
  v2Scrape(app, scrapes);
  jobRoutes(app, 'v2', jobs, {
    batch: () => v2Batch(app, jobs),
    crawl: () => v2Crawl(app, { ...jobs, model }),
  });
  v2Map(app, mapServices);
  v2Team(app, scrapeServices);
  v1Scrape(app, scrapes);
  jobRoutes(app, 'v1', jobs, { batch: () => v1Batch(app, jobs), crawl: () => v1Crawl(app, jobs) });
  v1Map(app, mapServices);
  teamReports(app, 'v1', scrapeServices);
  unavailableOperations(app);
}
