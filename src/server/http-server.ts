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
  /** Whose word counts on the address of a client. */
  trustedProxies: Networks;
}

/** An HTTP server without routes: how it reads requests, and what it answers when it cannot. */
export function createHttpServer({ logger, trustedProxies }: HttpServerOptions): App {
  const app: App = Fastify({
    loggerInstance: warningsOnly(logger),
    childLoggerFactory: (_logger, bindings, options) => logger.child(bindings, options),
    genReqId: newId,
    schemaController: OWN_COMPILERS,
    // From the right, X-Forwarded-For is believed as long as who wrote it is trusted.
    trustProxy: (address) => trustedProxies.include(address),
    rewriteUrl: toOriginForm,
    bodyLimit: BODY_LIMIT,
    requestTimeout: ARRIVAL_LIMIT,
    // Some clients offer HTTP/2 with every request, and mean the request.
    http: { shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket' },
    // logRequests writes one line for each, with what operators look for and nothing of the page or the key.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    frameworkErrors: handleError,
    clientErrorHandler: answerBrokenHttp,
    // A closing server still answers what reached it; Fastify would say 503 in another shape.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }).withTypeProvider<ZodTypeProvider>();

  // Fastify reads text/plain by itself, and the error would name the fields instead of the type.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validateWithoutBlanks);
  readJsonBodies(app);
  app.decorateRequest('caller', null);
  app.decorateRequest('failure', null);
  return app;
}
