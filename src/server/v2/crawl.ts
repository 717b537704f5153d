import { z } from 'zod';
import { paramsFromWords } from '../../crawl/params-from-words.ts';
import { startCrawl } from '../../crawl/start-crawl.ts';
import { callerOf } from '../authentication.ts';
import { type CrawlRouteOptions, crawlRoutes } from '../crawl-routes.ts';
import { bearer, failures } from '../documentation.ts';
import { idempotencyHeaders, jobStarted } from '../job-answers.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';
import { toWebhookRequest } from '../webhook-fields.ts';
import { crawlBody, prompt, toCrawl } from './crawl-options.ts';

const preview = z.object({
  success: z.literal(true),
  data: z.looseObject({ url: z.string() }).describe('The options that the words stand for'),
});

export function v2Crawl(app: App, options: CrawlRouteOptions): void {
  app.post(
    '/v2/crawl',
    {
      config: { endpointGroup: 'crawl', rateGroup: 'crawl' },
      schema: {
        summary: 'Crawl a site',
        tags: ['crawl'],
        security: bearer,
        headers: idempotencyHeaders,
        body: crawlBody,
        response: { 200: jobStarted, ...failures },
      },
    },
    async (request) => {
      const { body, headers } = request;
      const id = await startCrawl(options, {
        ...toCrawl(body),
        webhook: toWebhookRequest(body.webhook),
        caller: callerOf(request),
        idempotencyKey: headers['x-idempotency-key'] ?? null,
        origin: field.toRequestOrigin('v2', body),
      });
      return { success: true as const, id, url: `${options.baseUrl()}/v2/crawl/${id}` };
    },
  );
  app.post(
    '/v2/crawl/params-preview',
    {
      config: { endpointGroup: 'crawl', rateGroup: 'crawl' },
      schema: {
        summary: 'What the words of a prompt mean for a crawl',
        tags: ['crawl'],
        security: bearer,
        body: z.strictObject({ url: field.targetUrl, prompt, ...field.originFields }),
        response: { 200: preview, ...failures },
      },
    },
    async ({ body: { url, prompt: words } }) => ({ success: true as const, data: { url, ...paramsFromWords(words) } }),
  );
  crawlRoutes(app, 'v2', options);
}
