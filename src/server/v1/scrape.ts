import { bearer, failures, scrapeAnswer, withExample } from '../../contract/documentation.ts';
import { toRequestOrigin } from '../../contract/scrape.ts';
import { scrapeBody, toScrapeRequest } from '../../contract/v1/scrape.ts';
import { scrape } from '../../scrape/scrape.ts';
import { inSlot } from '../../team/concurrency.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import type { ScrapeRouteServices } from '../scrape-services.ts';
import type { App } from '../types.ts';

export function v1Scrape(app: App, services: ScrapeRouteServices): void {
  app.post(
    '/v1/scrape',
    {
      config: { endpointGroup: 'scrape', rateGroup: 'scrape' },
      schema: {
        summary: 'Scrape one page (version 1, for older clients)',
        tags: ['v1'],
        security: bearer,
        body: withExample(scrapeBody, { url: 'https://example.com', formats: ['markdown', 'links'] }),
        response: { 200: scrapeAnswer, ...failures },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const call = {
        caller: callerOf(request),
        request: toScrapeRequest(body),
        origin: toRequestOrigin('v1', body),
        publicAddress: services.publicAddress(request),
        cancelled: clientGone(reply),
      };
      const data = await inSlot(services.store.limits, call.caller, () => scrape(services, call));
      return { success: true as const, data };
    },
  );
}
