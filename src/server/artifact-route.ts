import { now } from '../clock.ts';
import { ARTIFACT_PATH, artifactParams, artifactQuery, toTicket } from '../contract/artifacts.ts';
import type { Store } from '../store/store.ts';
import type { App } from './types.ts';

/**
 * What a browser may show by itself, each with the ending of its files. Everything else is saved: a type that a browser runs as
 * a page (HTML, SVG, XML) would run under our name, and a PDF is not shown under a policy of `sandbox` anyway.
 */
const SHOWN: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'text/plain': 'txt',
};
const SAVED: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/html': 'html',
  'text/csv': 'csv',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/**
 * Gives out artifacts. It takes no key: the signature in the address is one. Ranges are left out: a file has a bound, and what
 * is sealed is opened from its beginning.
 */
export function artifactRoute(app: App, { store }: { store: Store }): void {
  app.get(
    ARTIFACT_PATH,
    {
      // Not in the API reference: the address comes with a document, and nobody makes one.
      schema: { hide: true, params: artifactParams, querystring: artifactQuery },
    },
    async (request, reply) => {
      const ticket = toTicket(request.params, request.query);
      const { type, size, bytes } = await store.artifacts.open(ticket);
      const isShown = type in SHOWN;
      const ending = SHOWN[type] ?? SAVED[type] ?? 'bin';
      const seconds = Math.max(0, Math.floor((ticket.expiresAt - now()) / 1000));
      return reply
        .type(type)
        .header('content-length', size)
        .header('content-disposition', `${isShown ? 'inline' : 'attachment'}; filename="${ticket.id}.${ending}"`)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('cache-control', ticket.key === null ? `private, max-age=${seconds}, immutable` : 'private, no-store')
        .header('accept-ranges', 'none')
        .send(bytes);
    },
  );
}
