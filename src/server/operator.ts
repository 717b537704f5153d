import { type HealthOptions, healthRoutes } from './health.ts';
import type { PublicAddress } from './public-address.ts';
import type { App } from './types.ts';

interface OperatorOptions extends HealthOptions {
  publicAddress: PublicAddress;
}

/** Routes for operators, and for clients that look for a way to get a key. None of them needs one. */
export function operatorRoutes(app: App, { publicAddress, ...health }: OperatorOptions): void {
  // Relative, as in /docs: behind a proxy the path may begin with a prefix that is not known here.
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('docs/'));

  healthRoutes(app, health);

  // RFC 9728: a client that got a 401 learns here which kind of key this service takes.
  app.get('/.well-known/oauth-protected-resource', { schema: { hide: true } }, async (request) => ({
    resource: publicAddress(request),
    resource_name: 'Trawl',
    resource_documentation: `${publicAddress(request)}/docs`,
    bearer_methods_supported: ['header'],
  }));
}
