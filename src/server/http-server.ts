import Fastify, { LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { newId } from '../clock.ts';
import type { Networks } from '../fetch/egress/networks.ts';
import { warningsOnly } from '../service/logger.ts';
import { validateWithoutBlanks } from './blank-fields.ts';
import { ARRIVAL_LIMIT, answerBrokenHttp } from './broken-http.ts';
import { OWN_COMPILERS } from './compilers.ts';
import { readJsonBodies } from './json-body.ts';
import { toOriginForm } from './public-address.ts';
import { handleError } from './shape-error.ts';
import type { App } from './types.ts';

/** Larger bodies get a 413. Options take a few kilobytes; a route that needs more sets its own limit. */
const BODY_LIMIT = 256 * 1024;

export interface HttpServerOptions {
  logger: Logger;
  /** Proxies that are trusted to report the address of a client. */
  trustedProxies: Networks;
}

/** An HTTP server without routes: how it reads requests, and how it responds to those it cannot read. */
export function createHttpServer({ logger, trustedProxies }: HttpServerOptions): App {
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
    // logRequests writes one line for each request, with what operators need and nothing about the page or the key.
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
  app.decorateRequest('caller', null);
  app.decorateRequest('failure', null);
  return app;
}
