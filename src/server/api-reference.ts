import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { jsonSchemaTransform, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { TrawlError } from '../errors.ts';
import { loadOnce } from '../load-once.ts';
import { VERSION } from '../version.ts';
import { OWN_COMPILERS } from './compilers.ts';
import { handleError } from './shape-error.ts';
import type { App } from './types.ts';

/** What belongs to one connection or one encoding of the answer, and not to the answer. */
const OF_THE_CONNECTION = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/**
 * The OpenAPI document at /openapi.json and its page at /docs. An app of their own makes them, from the same routes,
 * when somebody first asks: loading what they need took 12 MB and 70 ms at every start, and few services are asked.
 */
export function apiReference(app: App, declareRoutes: (app: App) => void): void {
  const reference = loadOnce(() => buildReference(declareRoutes));

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { statusCode, headers, rawPayload } = await (await reference()).inject({ method: 'GET', url: request.url });
    for (const [name, value] of Object.entries(headers)) if (!OF_THE_CONNECTION.has(name)) reply.header(name, value);
    return reply.code(statusCode).serializer(String).send(rawPayload);
  };
  for (const path of ['/openapi.json', '/docs', '/docs/*']) app.get(path, { schema: { hide: true } }, answer);
}

async function buildReference(declareRoutes: (app: App) => void): Promise<App> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const app: App = Fastify({ schemaController: OWN_COMPILERS }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Trawl',
        version: VERSION,
        description:
          'Turns the web into clean data. Every operation takes an API key: `Authorization: Bearer <API_KEY>`.',
      },
      components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  });
  await app.register(swaggerUi, { routePrefix: '/docs', uiConfig: { persistAuthorization: true } });
  await app.register(async (scope) => declareRoutes(scope.withTypeProvider<ZodTypeProvider>()));
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request) => {
    throw new TrawlError('NOT_FOUND', `There is no ${request.url} in the API reference.`);
  });
  return app;
}
