import { now } from '../clock.ts';
import { ARTIFACT_PATH, artifactParams, artifactQuery, toTicket } from '../contract/artifacts.ts';
import type { Store } from '../store/store.ts';
import type { App } from './types.ts';

/**
 * The types that a browser may display, with their file extensions. All others are downloads: a type that can hold scripts
 * (HTML, SVG, XML) would run them on our origin, and browsers do not display a PDF under a `sandbox` policy anyway.
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
 * Serves artifacts. It takes no API key, because the address is signed. Range requests are not supported: the size of a file is
 * bounded, and an encrypted file can only be read from its beginning.
 */
export function artifactRoute(app: App, { store }: { store: Store }): void {
  app.get(
    ARTIFACT_PATH,
    {
      // Not in the API reference: clients get the address in a document and never build one.
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
