import { z } from 'zod';
import type { MapRequest } from '../../map/request.ts';
import { mapFields, mapLimit, toMapRequest } from '../map.ts';

const MOST = 30_000;

export const mapBody = z.strictObject({
  ...mapFields,
  ignoreSitemap: z.boolean().default(true).describe('Do not read the sitemaps of the site'),
  sitemapOnly: z.boolean().default(false).describe('List only addresses from sitemaps, whatever "ignoreSitemap" is'),
  useIndex: z
    .boolean()
    .default(true)
    .describe('Include addresses from earlier requests, and accept a cached copy of the page'),
  limit: mapLimit(MOST),
});

export const mapAnswer = z.object({
  success: z.literal(true),
  links: z.array(z.string()),
  warning: z.string().optional().describe('What is missing, and why'),
});

export function toMap(body: z.infer<typeof mapBody>): MapRequest {
  const { ignoreSitemap, sitemapOnly, useIndex } = body;
  return {
    ...toMapRequest(body),
    sitemap: sitemapOnly ? 'only' : ignoreSitemap ? 'skip' : 'include',
    ignoreQueryParameters: true,
    ignoreCache: !useIndex,
  };
}
