import { z } from 'zod';
import { scrape } from '../../scrape/scrape.ts';
import type { ScrapeServices } from '../../scrape/services.ts';
import { inPlace } from '../../team/concurrency.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import { bearer, failures, scrapeAnswer, withExample } from '../documentation.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';
import { scrapeOptionFields, toScrapeOptions } from './scrape-options.ts';

const scrapeBody = z.strictObject({
  ...field.sharedFields,
  ...scrapeOptionFields,
});

export function v1Scrape(app: App, services: ScrapeServices): void {
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
        request: { url: body.url, zeroDataRetention: body.zeroDataRetention, ...toScrapeOptions(body) },
        origin: field.toRequestOrigin('v1', body),
        cancelled: clientGone(reply),
      };
      const data = await inPlace(services.store.limits, call.caller, () => scrape(services, call));
      return { success: true as const, data };
    },
  );
}
