import { z } from 'zod';
import { bearer, failures, scrapeAnswer, withExample } from '../../contract/documentation.ts';
import { toRequestOrigin } from '../../contract/scrape.ts';
import { scrapeBody, toScrapeRequest } from '../../contract/v2/scrape.ts';
import { findScrape } from '../../scrape/history.ts';
import { scrape } from '../../scrape/scrape.ts';
import { inSlot } from '../../team/concurrency.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import type { ScrapeRouteServices } from '../scrape-services.ts';
import type { App } from '../types.ts';
import { refuseToolCalls } from '../unavailable-operations.ts';

export function v2Scrape(app: App, services: ScrapeRouteServices): void {
  app.post(
    '/v2/scrape',
    {
      config: { endpointGroup: 'scrape', rateGroup: 'scrape' },
      schema: {
        summary: 'Scrape one page',
        tags: ['scrape'],
        security: bearer,
        body: withExample(scrapeBody, { url: 'https://example.com', formats: ['markdown', 'links'] }),
        response: { 200: scrapeAnswer, ...failures },
      },
      preValidation: refuseToolCalls,
    },
    async (request, reply) => {
      const { body } = request;
      const call = {
        caller: callerOf(request),
        request: toScrapeRequest(body),
        origin: toRequestOrigin('v2', body),
        publicAddress: services.publicAddress(request),
        cancelled: clientGone(reply),
      };
      const data = await inSlot(services.store.limits, call.caller, () => scrape(services, call));
      return { success: true as const, data };
    },
  );

  app.get(
    '/v2/scrape/:jobId',
    {
      config: { endpointGroup: 'scrape', rateGroup: 'status' },
      schema: {
        summary: 'The result of an earlier scrape',
        tags: ['scrape'],
        security: bearer,
        params: z.object({ jobId: z.uuid('must be the id of a scrape') }),
        response: { 200: scrapeAnswer, ...failures },
      },
    },
    async (request) => {
      const data = await findScrape(services.store, callerOf(request), request.params.jobId);
      return { success: true as const, data };
    },
  );
}
