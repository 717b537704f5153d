import { type HealthOptions, healthRoutes } from './health.ts';
import type { App } from './types.ts';

interface OperatorOptions extends HealthOptions {
  baseUrl: () => string;
}

/** What runs the service asks, and what finds its way to a key: none of it needs one. */
export function operatorRoutes(app: App, { baseUrl, ...health }: OperatorOptions): void {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'));

  healthRoutes(app, health);

  // RFC 9728: how a client that got a 401 learns what kind of key this service takes.
  app.get('/.well-known/oauth-protected-resource', { schema: { hide: true } }, async () => ({
    resource: baseUrl(),
    resource_name: 'Trawl',
    resource_documentation: `${baseUrl()}/docs`,
    bearer_methods_supported: ['header'],
  }));
}
