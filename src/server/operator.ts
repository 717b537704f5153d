import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { VERSION } from '../version.ts';
import type { Metrics } from './metrics.ts';
import type { PublicAddress } from './public-address.ts';
import type { App } from './types.ts';

interface OperatorOptions {
  store: Store;
  hasWorker: () => Promise<boolean>;
  metrics: Metrics;
  publicAddress: PublicAddress;
}

const status = z.object({ status: z.literal('ok'), version: z.string() });
const readiness = status.extend({
  worker: z.boolean().describe('Somebody works on jobs; without it they are taken, and wait'),
});

/** What runs the service asks, and what finds its way to a key: none of it needs one. */
export function operatorRoutes(app: App, { store, hasWorker, metrics, publicAddress }: OperatorOptions): void {
  // Relative, as in /docs: behind a proxy the path may begin with a prefix that is not known here.
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('docs/'));

  app.get(
    '/health',
    { schema: { summary: 'The process lives', tags: ['operator'], response: { 200: status } } },
    async () => ({ status: 'ok' as const, version: VERSION }),
  );

  app.get(
    '/ready',
    {
      schema: {
        summary: 'The store answers and requests can be served',
        tags: ['operator'],
        response: { 200: readiness },
      },
    },
    async () => {
      await store.ready();
      return { status: 'ok' as const, version: VERSION, worker: await hasWorker() };
    },
  );

  app.get('/metrics', { schema: { summary: 'Prometheus metrics', tags: ['operator'] } }, async (_request, reply) => {
    return reply
      .type(metrics.contentType)
      .serializer(String)
      .send(await metrics.read());
  });

  // RFC 9728: how a client that got a 401 learns what kind of key this service takes.
  app.get('/.well-known/oauth-protected-resource', { schema: { hide: true } }, async (request) => ({
    resource: publicAddress(request),
    resource_name: 'Trawl',
    resource_documentation: `${publicAddress(request)}/docs`,
    bearer_methods_supported: ['header'],
  }));
}
