import { gzipSync } from 'node:zlib';
import { html, type Reply, type Site, startSite } from './site.ts';

/** A page with links, each of them a path, or a path and its `rel`. */
export type Link = string | { href: string; rel: string };

/** An HTML page about its own path that links to others. */
export function linking(path: string, links: readonly Link[], head = ''): string {
  const anchors = links.map((link) => {
    const { href, rel } = typeof link === 'string' ? { href: link, rel: '' } : link;
    return `<li><a href="${href}"${rel === '' ? '' : ` rel="${rel}"`}>To ${href}</a></li>`;
  });
  return html(
    `<h1>Page ${path}</h1><p>Words of ${path}.</p><ul>${anchors.join('')}</ul>`,
    `<title>${path}</title>${head}`,
  );
}

/** Adds pages with these links to a site; returns the address of the first one. */
export function addTasks(site: Site, pages: Readonly<Record<string, readonly Link[]>>): string {
  const urls = Object.entries(pages).map(([path, links]) => site.page(path, linking(path, links)));
  return urls[0] ?? '';
}

/** A site with only such pages. */
export async function siteOf(pages: Readonly<Record<string, readonly Link[]>>): Promise<Site & { start: string }> {
  const site = await startSite();
  return Object.assign(site, { start: addTasks(site, pages) });
}

export function robotsTxt(...lines: readonly string[]): Reply {
  return { headers: { 'content-type': 'text/plain' }, body: lines.join('\n') };
}

export function sitemap(urls: readonly string[], { packed = false } = {}): Reply {
  const entries = urls.map((url) => `<url><loc>${url.replaceAll('&', '&amp;')}</loc></url>`);
  return xml(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`, packed);
}

export function sitemapIndex(urls: readonly string[]): Reply {
  const entries = urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`);
  return xml(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</sitemapindex>`);
}

function xml(body: string, packed = false): Reply {
  const text = `<?xml version="1.0" encoding="UTF-8"?>${body}`;
  return packed
    ? { headers: { 'content-type': 'application/gzip' }, body: gzipSync(text) }
    : { headers: { 'content-type': 'application/xml' }, body: text };
}

/** Requests of pages so far, without those for robots.txt and sitemaps. */
export function pagesAsked({ requests }: Site): string[] {
  return requests.map(({ path }) => path).filter((path) => !/robots\.txt|sitemap/.test(path));
}
