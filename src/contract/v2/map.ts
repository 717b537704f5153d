import { z } from 'zod';
import type { MapRequest } from '../../map/request.ts';
import { MAX_LINKS } from '../../map/site-links.ts';
import { mapFields, mapLimit, toMapRequest } from '../map.ts';
import { DEFAULT_SITEMAP, sitemapFields, writtenSitemap } from './sitemap.ts';

/** The fields of a map, for the API and the command line. */
export const mapBody = z.strictObject({
  ...mapFields,
  ...sitemapFields,
  ignoreQueryParameters: z
    .boolean()
    .default(true)
    .describe('Drop the query of each address, and list each address once'),
  ignoreCache: z
    .boolean()
    .default(false)
    .describe('Use neither a cached copy of the page nor addresses from earlier requests'),
  limit: mapLimit(MAX_LINKS),
});

export const mapAnswer = z.object({
  success: z.literal(true),
  id: z.string(),
  links: z.array(z.object({ url: z.string(), title: z.string().optional(), description: z.string().optional() })),
  warning: z.string().optional().describe('What is missing, and why'),
});

/** Converts the options. */
export function toMap(body: z.infer<typeof mapBody>): MapRequest {
  const { ignoreQueryParameters, ignoreCache } = body;
  const sitemap = writtenSitemap(body) ?? DEFAULT_SITEMAP;
  return { ...toMapRequest(body), sitemap, ignoreQueryParameters, ignoreCache };
}
