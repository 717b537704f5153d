import { bearer, failures, withExample } from '../../contract/documentation.ts';
import { toRequestOrigin } from '../../contract/scrape.ts';
import { mapAnswer, mapBody, toMap } from '../../contract/v2/map.ts';
import { type MapServices, map } from '../../map/map.ts';
import { inSlot } from '../../team/concurrency.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import type { App } from '../types.ts';

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
        origin: toRequestOrigin('v2', body),
        cancelled: clientGone(reply),
      };
      const found = await inSlot(services.store.limits, call.caller, () => map(services, call));
      return { success: true as const, ...found };
    },
  );
}
