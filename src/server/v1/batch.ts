import { z } from 'zod';
import * as batch from '../batch-answers.ts';
import { answerStart, type BatchRouteOptions } from '../batch-start.ts';
import { bearer, failures, withExample } from '../documentation.ts';
import { idempotencyHeaders } from '../job-answers.ts';
import { jobRoutes } from '../job-routes.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';
import { scrapeOptionFields, toScrapeOptions } from './scrape-options.ts';

const batchBody = z.strictObject({
  ...batch.batchFields,
  ...field.originFields,
  ...scrapeOptionFields,
  ignoreInvalidURLs: z.boolean().default(false).describe('Leave out what is not an address, and say so'),
});

export function v1Batch(app: App, options: BatchRouteOptions): void {
  app.post(
    '/v1/batch/scrape',
    {
      bodyLimit: batch.BODY_LIMIT,
      config: { endpointGroup: 'batch', rateGroup: 'crawl', longList: batch.LONG_LIST },
      schema: {
        summary: 'Scrape many pages as one job (version 1, for older clients)',
        tags: ['v1'],
        security: bearer,
        headers: idempotencyHeaders,
        body: withExample(batchBody, { urls: ['https://example.com', 'https://example.org'], formats: ['markdown'] }),
        response: { 200: batch.batchStarted, ...failures },
      },
    },
    async (request) => answerStart(options, 'v1', request, toScrapeOptions(request.body)),
  );
  jobRoutes(app, 'v1', 'batch', options);
}
