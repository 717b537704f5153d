import { bearer, failures, withExample } from '../../contract/documentation.ts';
import { toRequestOrigin } from '../../contract/scrape.ts';
import { mapAnswer, mapBody, toMap } from '../../contract/v1/map.ts';
import { type MapServices, map } from '../../map/map.ts';
import { inSlot } from '../../team/concurrency.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import type { App } from '../types.ts';

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
        origin: toRequestOrigin('v1', body),
        cancelled: clientGone(reply),
      };
      const { links, warning } = await inSlot(services.store.limits, call.caller, () => map(services, call));
      const urls = links.map(({ url }) => url);
      return { success: true as const, links: urls, ...(warning === undefined ? {} : { warning }) };
    },
  );
}
