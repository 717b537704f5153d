import { z } from 'zod';
import { scrape } from '../../scrape/scrape.ts';
import type { ScrapeServices } from '../../scrape/services.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import { bearer, failures, scrapeAnswer } from '../documentation.ts';
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
      schema: {
        summary: 'Scrape one page (version 1, for older clients)',
        tags: ['v1'],
        security: bearer,
        body: scrapeBody,
        response: { 200: scrapeAnswer, ...failures },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const data = await scrape(services, {
        caller: callerOf(request),
        request: { url: body.url, zeroDataRetention: body.zeroDataRetention, ...toScrapeOptions(body) },
        origin: field.toRequestOrigin('v1', body),
        cancelled: clientGone(reply),
      });
      return { success: true as const, data };
    },
  );
}
