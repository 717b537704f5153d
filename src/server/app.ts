import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyRequest, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import type { BatchServices } from '../batch/start-batch.ts';
import { newId } from '../clock.ts';
import type { CrawlServices } from '../crawl/start-crawl.ts';
import { TrawlError } from '../errors.ts';
import type { Networks } from '../fetch/egress/networks.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { JobNews } from '../jobs/job-news.ts';
import type { LanguageModel } from '../llm/language-model.ts';
import type { MapServices } from '../map/map.ts';
import type { ScrapeServices } from '../pages/services.ts';
import { warningsOnly } from '../service/logger.ts';
import type { Metrics } from '../service/metrics.ts';
import type { Store } from '../store/store.ts';
import type { Keyless } from '../team/keyless.ts';
import { RunningWork } from '../team/running.ts';
import { admission, admitCaller, requireGroups } from './admission.ts';
import { apiReference } from './api-reference.ts';
import { validateWithoutBlanks } from './blank-fields.ts';
import { OWN_COMPILERS } from './compilers.ts';
import { jobRoutes } from './job-routes.ts';
import { endStreams } from './job-stream.ts';
import { readJsonBodies } from './json-body.ts';
import { KnownRoutes } from './known-routes.ts';
import { logFields, roundMs, routeOf, sentBytes } from './log-fields.ts';
import { operatorRoutes } from './operator.ts';
import { type PublicAddress, requireOneHost, toOriginForm } from './public-address.ts';
import { asksForStream, markStream, RefusedStreams, requireStream } from './refused-streams.ts';
import { errorBody, handleError, noteFailure } from './shape-error.ts';
import { teamReports } from './team-reports.ts';
import type { App } from './types.ts';
import { unavailableOperations } from './unavailable-operations.ts';
import { unusedConnections } from './unused-connections.ts';
import { v1Batch } from './v1/batch.ts';
import { v1Crawl } from './v1/crawl.ts';
import { v1Map } from './v1/map.ts';
import { v1Scrape } from './v1/scrape.ts';
import { v2Batch } from './v2/batch.ts';
import { v2Crawl } from './v2/crawl.ts';
import { v2Map } from './v2/map.ts';
import { v2Scrape } from './v2/scrape.ts';
import { v2Team } from './v2/team.ts';

export interface AppOptions {
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
  logger: Logger;
  metrics: Metrics;
  /** The key for /metrics; undefined lets everybody read them. */
  metricsKey: string | undefined;
  /** Undefined: calls without a key are refused. */
  keyless: Keyless | undefined;
  /** Proxies whose word counts for the address of a client. */
  trustedProxies: Networks;
  publicAddress: PublicAddress;
}

/** Larger bodies get a 413. Options take a few kilobytes; a route that needs more sets its own limit. */
const BODY_LIMIT = 256 * 1024;

/** Milliseconds for a request to arrive. Node's default is five minutes, Fastify's is unlimited. */
const ARRIVAL_LIMIT = 60_000;

/** What is recorded of a response. */
interface Answered {
  status: number;
  ms: number;
  /** Undefined when the body was sent without changes. */
  bytes?: number | undefined;
}

/** Builds the HTTP service: routes, authentication, errors, documentation. Does not listen yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const { store, scrapeServices, mapServices, jobServices, model, kinds, news, hasWorker, logger } = options;
  const { keyless, trustedProxies, publicAddress, metrics, metricsKey } = options;
  const app: App = Fastify({
    loggerInstance: warningsOnly(logger),
    childLoggerFactory: (_logger, bindings, options) => logger.child(bindings, options),
    genReqId: newId,
    schemaController: OWN_COMPILERS,
    // X-Forwarded-For is read from the right, for as long as the writer of an entry is trusted.
    trustProxy: (address) => trustedProxies.include(address),
    rewriteUrl: toOriginForm,
    bodyLimit: BODY_LIMIT,
    requestTimeout: ARRIVAL_LIMIT,
    // Some clients offer HTTP/2 with every request, but want the response on HTTP/1.1.
    http: { shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket' },
    // One line per request is written below. It has what operators look for, and nothing of the page or the key.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    frameworkErrors: handleError,
    clientErrorHandler: answerBrokenHttp,
    // A closing server still serves the requests that reached it; Fastify would send a 503 in another format.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }).withTypeProvider<ZodTypeProvider>();

  // Fastify reads text/plain by itself. The error would then name the fields instead of the type.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validateWithoutBlanks);
  readJsonBodies(app);
  const refused = new RefusedStreams();
  app.setErrorHandler((thrown, request, reply) => {
    if (!asksForStream(request)) return handleError(thrown, request, reply);
    const error = noteFailure(thrown, request);
    refused.refuse(app.websocketServer, request, reply, error);
    record(request, { status: error.status, ms: reply.elapsedTime });
    return;
  });
  const known = new KnownRoutes();
  app.addHook('onRoute', known.add);
  app.addHook('onRoute', markStream);
  app.setNotFoundHandler((request) => {
    const { method } = request;
    const [path = ''] = request.url.split('?');
    const methods = known.methodsOf(path).join(', ');
    const reference = `The API is described at ${publicAddress(request)}/docs.`;
    if (methods === '') throw new TrawlError('NOT_FOUND', `There is no ${method} ${path}. ${reference}`);
    // RFC 9110 section 15.5.6.
    const headers = { allow: methods };
    throw new TrawlError('METHOD_NOT_ALLOWED', `${path} accepts ${methods}, not ${method}. ${reference}`, {
      headers,
    });
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('failure', null);

  // Clients send nothing on a stream except signs of life.
  await app.register(websocket, {
    options: { maxPayload: 1024 },
    preClose(done) {
      endStreams(this.websocketServer.clients);
      this.websocketServer.close();
      done();
    },
  });
  // Browsers cannot set any other header on a WebSocket.
  app.addHook('onRequest', async ({ ws, headers }) => {
    const [key] = (ws && headers['sec-websocket-protocol']?.split(',')) || [];
    if (key !== undefined) headers.authorization ??= `Bearer ${key.trim()}`;
  });

  const streams = new RunningWork();
  metrics.watchStreams(() => streams.total);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onRequest', requireOneHost);
  app.addHook('onRequest', requireStream);
  // The v1 client of the SDK sends DELETE with a content type but without a body.
  app.addHook('onRequest', async ({ method, headers }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
    if (method === 'DELETE' && !hasBody) delete headers['content-type'];
  });
  // A connection that was busy when the server began to close would stay open after its response, and closing would
  // wait for it.
  let closing = false;
  const closeUnused = unusedConnections(app.server);
  app.addHook('preClose', async () => {
    closing = true;
    closeUnused();
  });
  app.addHook('onSend', async ({ ws }, reply) => {
    // A connection that asked for a stream, and was refused, cannot carry further requests either.
    if (closing || ws) reply.header('connection', 'close');
    // Responses hold documents, and addresses that depend on the headers of the request.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  const record = (request: FastifyRequest, { status, ms, bytes }: Answered) => {
    metrics.countRequest(request.method, routeOf(request), status, ms);
    const code = request.failure ?? undefined;
    if (code !== undefined) metrics.countFailure(code);
    request.log.info({ ...logFields(request), status, ms: roundMs(ms), bytes, code }, 'request');
  };
  app.addHook('onResponse', async (request, reply) => {
    record(request, { status: reply.statusCode, ms: reply.elapsedTime, bytes: sentBytes(reply) });
  });
  const admissionOptions = { store, publicAddress, keyless };
  const admitAgain = async (request: FastifyRequest) => {
    await admitCaller(admissionOptions, request);
  };
  const openRoutes = (scope: App) => operatorRoutes(scope, { store, hasWorker, metrics, metricsKey, publicAddress });
  const keyedRoutes = (scope: App) => {
    // In the order of the API reference.
    const jobs = { ...jobServices, kinds, news, streams, admitAgain, publicAddress };
    v2Scrape(scope, scrapeServices);
    jobRoutes(scope, 'v2', jobs, {
      batch: () => v2Batch(scope, jobs),
      crawl: () => v2Crawl(scope, { ...jobs, model }),
    });
    v2Map(scope, mapServices);
    v2Team(scope, scrapeServices);
    v1Scrape(scope, scrapeServices);
    jobRoutes(scope, 'v1', jobs, { batch: () => v1Batch(scope, jobs), crawl: () => v1Crawl(scope, jobs) });
    v1Map(scope, mapServices);
    teamReports(scope, 'v1', scrapeServices);
    unavailableOperations(scope);
  };
  await app.register(async (scope) => {
    scope.addHook('onRoute', requireGroups);
    scope.addHook('onRequest', admission(admissionOptions));
    keyedRoutes(scope.withTypeProvider<ZodTypeProvider>());
  });
  openRoutes(app);
  apiReference(app, publicAddress, (scope) => {
    keyedRoutes(scope);
    openRoutes(scope);
  });
  return app;
}

const BROKEN_HTTP = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { status: '431 Request Header Fields Too Large', message: 'The request headers are larger than 16 KB.' },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: '408 Request Timeout', message: `The request did not arrive within ${ARRIVAL_LIMIT / 1000} s.` },
  ],
]);

/** What cannot even be parsed as HTTP still gets an error in the usual format. */
function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = BROKEN_HTTP.get(error.code ?? '') ?? {
    status: '400 Bad Request',
    message: 'The request is not valid HTTP/1.1.',
  };
  const body = JSON.stringify(errorBody(new TrawlError('BAD_REQUEST', message)));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
