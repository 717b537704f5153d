import type { XmlElement } from './xml.ts';

/** A sitemap or sitemap index (sitemaps.org protocol 0.9) as a list of its addresses with their dates, else undefined. */
export function sitemapMarkdown(root: XmlElement): string | undefined {
  const entries =
    root.name === 'urlset' ? root.all('url') : root.name === 'sitemapindex' ? root.all('sitemap') : undefined;
  if (!entries) return undefined;
  const lines = entries.flatMap((entry) => {
    const address = entry.textOf('loc');
    const date = entry.textOf('lastmod');
    return address === undefined
      ? []
      : [`- <${address.replace(/[<>\s]/g, encodeURIComponent)}>${date === undefined ? '' : ` (${date})`}`];
  });
  return lines.join('\n');
}
