import { randomBytes } from 'node:crypto';
import { html, type Site } from './site.ts';

/** A page that no compression makes smaller than 400 KB: its result is large as it is stored. Ask for its raw HTML. */
export function largePage(site: Site, path: string, text = path): string {
  return site.page(path, html(`<h1>${text}</h1><p>${randomBytes(400_000).toString('base64')}</p>`));
}
