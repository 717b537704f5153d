import { z } from 'zod';
import { startBatch } from '../../batch/start-batch.ts';
import { callerOf } from '../authentication.ts';
import * as batch from '../batch-answers.ts';
import { type BatchRouteOptions, batchRoutes } from '../batch-routes.ts';
import { bearer, failures } from '../documentation.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';
import { toWebhookRequest } from '../webhook-fields.ts';
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
      config: { endpointGroup: 'batch', rateGroup: 'crawl' },
      schema: {
        summary: 'Scrape many pages as one job (version 1, for older clients)',
        tags: ['v1'],
        security: bearer,
        headers: batch.idempotencyHeaders,
        body: batchBody,
        response: { 200: batch.batchStarted, ...failures },
      },
    },
    async (request) => {
      const { body } = request;
      const { id, invalidURLs } = await startBatch(options, {
        caller: callerOf(request),
        urls: body.urls,
        ignoreInvalidURLs: body.ignoreInvalidURLs,
        options: { ...toScrapeOptions(body), ...batch.toBatchOptions(body) },
        maxConcurrency: body.maxConcurrency ?? null,
        webhook: toWebhookRequest(body.webhook),
        appendToId: body.appendToId ?? null,
        idempotencyKey: request.headers['x-idempotency-key'] ?? null,
        origin: field.toRequestOrigin('v1', body),
      });
      const url = `${options.baseUrl()}/v1/batch/scrape/${id}`;
      return { success: true as const, id, url, ...(body.ignoreInvalidURLs ? { invalidURLs } : {}) };
    },
  );
  batchRoutes(app, 'v1', ['v1'], options);
}
