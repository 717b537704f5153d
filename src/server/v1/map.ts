import { z } from 'zod';
import { type MapServices, map } from '../../map/map.ts';
import type { MapRequest } from '../../map/request.ts';
import { inPlace } from '../../team/concurrency.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import { bearer, failures, withExample } from '../documentation.ts';
import { mapFields, mapLimit, toMapRequest } from '../map-fields.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';

const MOST = 30_000;

const mapBody = z.strictObject({
  ...mapFields,
  ignoreSitemap: z.boolean().default(true).describe('Do without the sitemaps of the site'),
  sitemapOnly: z.boolean().default(false).describe('Only what the sitemaps have, whatever "ignoreSitemap" says'),
  useIndex: z.boolean().default(true).describe('Also addresses known from earlier, and a stored copy of the page'),
  limit: mapLimit(MOST),
});

const mapAnswer = z.object({
  success: z.literal(true),
  links: z.array(z.string()),
  warning: z.string().optional().describe('What is missing, and why'),
});

export function v1Map(app: App, services: MapServices): void {
  app.post(
    '/v1/map',
    {
      config: { endpointGroup: 'map', rateGroup: 'map' },
      schema: {
        summary: 'List the addresses of a site (version 1, for older clients)',
        tags: ['v1'],
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
        origin: field.toRequestOrigin('v1', body),
        cancelled: clientGone(reply),
      };
      const { links, warning } = await inPlace(services.store.limits, call.caller, () => map(services, call));
      const urls = links.map(({ url }) => url);
      return { success: true as const, links: urls, ...(warning === undefined ? {} : { warning }) };
    },
  );
}

function toMap(body: z.infer<typeof mapBody>): MapRequest {
  const { ignoreSitemap, sitemapOnly, useIndex } = body;
  return {
    ...toMapRequest(body),
    sitemap: sitemapOnly ? 'only' : ignoreSitemap ? 'skip' : 'include',
    ignoreQueryParameters: true,
    ignoreCache: !useIndex,
  };
}
