import { z } from 'zod';

type SitemapUse = 'include' | 'skip' | 'only';

export const DEFAULT_SITEMAP: SitemapUse = 'include';

/** How a crawl or a map uses the sitemaps of the site. */
export const sitemapFields = {
  sitemap: z.enum(['include', 'skip', 'only']).exactOptional().meta({
    description: 'Read the sitemaps as well ("include"), not at all ("skip"), or nothing else ("only")',
    default: DEFAULT_SITEMAP,
  }),
  ignoreSitemap: z.boolean().exactOptional().describe('The older option: true means "sitemap": "skip"'),
};

/** What was written under either name; undefined when neither was. */
export function writtenSitemap(body: { sitemap?: SitemapUse; ignoreSitemap?: boolean }): SitemapUse | undefined {
  if (body.sitemap !== undefined || body.ignoreSitemap === undefined) return body.sitemap;
  return body.ignoreSitemap ? 'skip' : 'include';
}
