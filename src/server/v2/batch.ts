import * as batch from '../../contract/batch.ts';
import { bearer, failures, withExample } from '../../contract/documentation.ts';
import { idempotencyHeaders } from '../../contract/jobs.ts';
import { batchBody } from '../../contract/v2/batch.ts';
import { toScrapeOptions } from '../../contract/v2/scrape-options.ts';
import { answerStart, type BatchRouteOptions } from '../batch-start.ts';
import type { App } from '../types.ts';

export function v2Batch(app: App, options: BatchRouteOptions): void {
  app.post(
    '/v2/batch/scrape',
    {
      bodyLimit: batch.BODY_LIMIT,
      config: { endpointGroup: 'batch', rateGroup: 'crawl', longList: batch.LONG_LIST },
      schema: {
        summary: 'Scrape many pages as one job',
        tags: ['batch'],
        security: bearer,
        headers: idempotencyHeaders,
        body: withExample(batchBody, { urls: ['https://example.com', 'https://example.org'], formats: ['markdown'] }),
        response: { 200: batch.batchStarted, ...failures },
      },
    },
    async (request) => answerStart(options, 'v2', request, toScrapeOptions(request.body)),
  );
}
