import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { TrawlError } from '../errors.ts';
import { loadOnce } from '../load-once.ts';
import { VERSION } from '../version.ts';
import { OWN_COMPILERS } from './compilers.ts';
import { describeOperation, TAGS } from './operations.ts';
import type { PublicAddress } from './public-address.ts';
import { handleError } from './shape-error.ts';
import type { App } from './types.ts';

/** Headers that belong to one connection or one encoding of the response, and not to the response. */
const OF_THE_CONNECTION = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

const HIDDEN = { schema: { hide: true } };

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="none" stroke="#0b7285" stroke-width="1.5"
d="M2 2c0 8 3 12 6 12s6-4 6-12M3 6h10M5 10h6M6 2l1 12M10 2 9 14"/></svg>`;

/**
 * The OpenAPI document at /openapi.json and its page at /docs. The first request builds them in an app of their own,
 * from the same routes: loading what they need took 12 MB and 70 ms at every start, and few services are asked for
 * them.
 */
export function apiReference(app: App, publicAddress: PublicAddress, declareRoutes: (app: App) => void): void {
  const open = loadOnce(() => buildReference(declareRoutes));

  app.get('/openapi.json', HIDDEN, async (request) => {
    return { ...(await open()).swagger(), servers: [{ url: publicAddress(request) }] };
  });

  // The page uses addresses relative to its own, which therefore has to end with a slash.
  app.get('/docs', HIDDEN, async (_request, reply) => reply.redirect('docs/'));

  app.get('/docs/*', HIDDEN, async (request: FastifyRequest, reply: FastifyReply) => {
    const { statusCode, headers, rawPayload } = await (await open()).inject({ method: 'GET', url: request.url });
    for (const [name, value] of Object.entries(headers)) if (!OF_THE_CONNECTION.has(name)) reply.header(name, value);
    return reply.code(statusCode).serializer(String).send(rawPayload);
  });
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
      tags: [...TAGS],
      components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    },
    transform: describeOperation,
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // Without the top bar, which shows the Swagger logo.
    uiConfig: { persistAuthorization: true, layout: 'BaseLayout' },
    theme: {
      title: 'Trawl API',
      favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: ICON }],
    },
    // Relative to /docs/json: the page works behind any proxy, even one that sends no X-Forwarded headers.
    transformSpecification: (document) => ({ ...document, servers: [{ url: '..', description: 'This service' }] }),
    transformSpecificationClone: false,
  });
  await app.register(async (scope) => declareRoutes(scope.withTypeProvider<ZodTypeProvider>()));
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request) => {
    throw new TrawlError('NOT_FOUND', `There is no ${request.url} in the API reference.`);
  });
  await app.ready();
  return app;
}
