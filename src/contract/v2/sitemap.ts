import { z } from 'zod';

type SitemapUse = 'include' | 'skip' | 'only';

export const DEFAULT_SITEMAP: SitemapUse = 'include';

/** How a crawl or a map uses the sitemaps of the site. */
export const sitemapFields = {
  sitemap: z.enum(['include', 'skip', 'only']).exactOptional().meta({
    description: 'Whether the sitemaps of the site are read too, not at all, or alone',
    default: DEFAULT_SITEMAP,
  }),
  ignoreSitemap: z.boolean().exactOptional().describe('The older name: true is "sitemap": "skip"'),
};

/** What was written, under either name; undefined when nothing was. */
export function writtenSitemap(body: { sitemap?: SitemapUse; ignoreSitemap?: boolean }): SitemapUse | undefined {
  if (body.sitemap !== undefined || body.ignoreSitemap === undefined) return body.sitemap;
  return body.ignoreSitemap ? 'skip' : 'include';
}
