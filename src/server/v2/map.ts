import { z } from 'zod';
import { type MapServices, map } from '../../map/map.ts';
import type { MapRequest } from '../../map/request.ts';
import { MOST_LINKS } from '../../map/site-links.ts';
import { inPlace } from '../../team/concurrency.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import { bearer, failures, withExample } from '../documentation.ts';
import { mapFields, mapLimit, toMapRequest } from '../map-fields.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';
import { DEFAULT_SITEMAP, sitemapFields, writtenSitemap } from './sitemap-fields.ts';

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

const mapAnswer = z.object({
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

export function v2Map(app: App, services: MapServices): void {
  app.post(
    '/v2/map',
    {
      config: { endpointGroup: 'map', rateGroup: 'map' },
      schema: {
        summary: 'List the addresses of a site',
        tags: ['map'],
        security: bearer,
        body: withExample(mapBody, { url: 'https://example.com', search: 'prices' }),
        response: { 200: mapAnswer, ...failures },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const call = {
        caller: callerOf(request),
        request: toMap(body),
        origin: field.toRequestOrigin('v2', body),
        cancelled: clientGone(reply),
      };
      const found = await inPlace(services.store.limits, call.caller, () => map(services, call));
      return { success: true as const, ...found };
    },
  );
}
