import { TrawlError } from '../errors.ts';
import { KnownRoutes } from './known-routes.ts';
import type { PublicAddress } from './public-address.ts';
import type { App } from './types.ts';

/** Answers requests for which there is no route, and says which methods the path has. Comes before all routes. */
export function answerUnknownRoutes(app: App, publicAddress: PublicAddress): void {
  const known = new KnownRoutes();
  app.addHook('onRoute', known.add);
  app.setNotFoundHandler((request) => {
    const { method } = request;
    const [path = ''] = request.url.split('?');
    const methods = known.methodsOf(path).join(', ');
    const reference = `The API is described at ${publicAddress(request)}/docs.`;
    if (methods === '') throw new TrawlError('NOT_FOUND', `There is no ${method} ${path}. ${reference}`);
    // RFC 9110 section 15.5.6.
    const headers = { allow: methods };
    throw new TrawlError('METHOD_NOT_ALLOWED', `${path} takes ${methods}, and not ${method}. ${reference}`, {
      headers,
    });
  });
}
