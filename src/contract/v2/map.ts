import { z } from 'zod';
import type { MapRequest } from '../../map/request.ts';
import { MOST_LINKS } from '../../map/site-links.ts';
import { mapFields, mapLimit, toMapRequest } from '../map.ts';
import { DEFAULT_SITEMAP, sitemapFields, writtenSitemap } from './sitemap.ts';

/** What a map takes: of the API, and of the command line. */
export const mapBody = z.strictObject({
  ...mapFields,
  ...sitemapFields,
  ignoreQueryParameters: z.boolean().default(true).describe('Give addresses without their query, each once'),
  ignoreCache: z
    .boolean()
    .default(false)
    .describe('Only what is found now: no stored copy of the page, no addresses known from earlier'),
  limit: mapLimit(MOST_LINKS),
});

export const mapAnswer = z.object({
  success: z.literal(true),
  id: z.string(),
  links: z.array(z.object({ url: z.string(), title: z.string().optional(), description: z.string().optional() })),
  warning: z.string().optional().describe('What is missing, and why'),
});

/** The options of the contract as the capability takes them. */
export function toMap(body: z.infer<typeof mapBody>): MapRequest {
  const { ignoreQueryParameters, ignoreCache } = body;
  const sitemap = writtenSitemap(body) ?? DEFAULT_SITEMAP;
  return { ...toMapRequest(body), sitemap, ignoreQueryParameters, ignoreCache };
}
