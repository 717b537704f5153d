import { html, type Site } from './site.ts';

/** A page that does not answer until it is released. */
export function heldPage(site: Site, path: string) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const address = site.page(path, async (_request, response) => {
    reached.resolve();
    await released.promise;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>At last</h1>'));
  });
  return { address, reached: reached.promise, release: () => released.resolve() };
}
