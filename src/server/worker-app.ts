import Fastify, { LogController } from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { newId } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { warningsOnly } from '../service/logger.ts';
import { OWN_COMPILERS } from './compilers.ts';
import { type HealthOptions, healthRoutes } from './health.ts';
import { handleError } from './shape-error.ts';
import type { App } from './types.ts';

const ARRIVAL_LIMIT = 10_000;

/** The HTTP side of `trawl worker`: the health of the process, and nothing of the API. Does not listen yet. */
export function createWorkerApp({ logger, ...health }: HealthOptions & { logger: Logger }): App {
  const app: App = Fastify({
    loggerInstance: warningsOnly(logger),
    genReqId: newId,
    schemaController: OWN_COMPILERS,
    requestTimeout: ARRIVAL_LIMIT,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: handleError,
    forceCloseConnections: true,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler(handleError);
  app.decorateRequest('failure', null);
  app.setNotFoundHandler(({ method, url }) => {
    throw new TrawlError(
      'NOT_FOUND',
      `There is no ${method} ${url.split('?')[0]} here. A worker serves only GET /health, /ready and /metrics.`,
    );
  });
  healthRoutes(app, health);
  return app;
}
