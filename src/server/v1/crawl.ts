import { idempotencyOf } from '../../contract/crawl.ts';
import { bearer, failures, withExample } from '../../contract/documentation.ts';
import { idempotencyHeaders, jobStarted } from '../../contract/jobs.ts';
import { toRequestOrigin } from '../../contract/scrape.ts';
import { crawlBody, toCrawl } from '../../contract/v1/crawl.ts';
import { toWebhookRequest } from '../../contract/webhook.ts';
import { startCrawl } from '../../crawl/start-crawl.ts';
import { optionWarnings, warningField } from '../../pages/warnings.ts';
import { callerOf } from '../authentication.ts';
import { type CrawlRouteOptions, crawlRoutes } from '../crawl-routes.ts';
import type { App } from '../types.ts';

export function v1Crawl(app: App, options: CrawlRouteOptions): void {
  app.post(
    '/v1/crawl',
    {
      config: { endpointGroup: 'crawl', rateGroup: 'crawl' },
      schema: {
        summary: 'Crawl a site (version 1, for older clients)',
        tags: ['v1'],
        security: bearer,
        headers: idempotencyHeaders,
        body: withExample(crawlBody, {
          url: 'https://example.com',
          limit: 10,
          scrapeOptions: { formats: ['markdown'] },
        }),
        response: { 200: jobStarted, ...failures },
      },
    },
    async (request) => {
      const { body, headers } = request;
      const crawl = toCrawl(body);
      const publicAddress = options.publicAddress(request);
      const id = await startCrawl(options, {
        ...crawl,
        publicAddress,
        webhook: toWebhookRequest(body.webhook),
        caller: callerOf(request),
        idempotency: idempotencyOf(headers['x-idempotency-key'], body),
        origin: toRequestOrigin('v1', { ...body, auditMetadata: body.scrapeOptions.auditMetadata }),
      });
      const url = `${publicAddress}/v1/crawl/${id}`;
      return { success: true as const, id, url, ...warningField(optionWarnings(crawl.page)) };
    },
  );
  crawlRoutes(app, 'v1', options);
}
