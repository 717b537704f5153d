import { z } from 'zod';
import { CRAWL_DEFAULTS } from '../../crawl/crawl-params.ts';
import { startCrawl } from '../../crawl/start-crawl.ts';
import { optionWarnings, warningField } from '../../scrape/warnings.ts';
import { callerOf } from '../authentication.ts';
import { crawlFields, idempotencyOf, toAsked, toSharedCrawlOptions } from '../crawl-answers.ts';
import { type CrawlRouteOptions, crawlRoutes } from '../crawl-routes.ts';
import { bearer, failures, withExample } from '../documentation.ts';
import { idempotencyHeaders, jobStarted } from '../job-answers.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';
import { toWebhookRequest } from '../webhook-fields.ts';
import { scrapeOptionFields, toScrapeOptions } from './scrape-options.ts';

const crawlBody = z.strictObject({
  ...crawlFields,
  ...field.originFields,
  maxDepth: z.int().min(0).default(10).describe('Names in the path, counted from the root of the site'),
  ignoreSitemap: z.boolean().default(false),
  allowBackwardLinks: z.boolean().default(false).describe('The older name of "crawlEntireDomain"'),
  scrapeOptions: z.strictObject(scrapeOptionFields).prefault({}).describe('How each page is scraped'),
});

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
      const body = { ...CRAWL_DEFAULTS, ...request.body };
      const shared = toSharedCrawlOptions(body);
      const page = { ...toScrapeOptions(body.scrapeOptions), zeroDataRetention: body.zeroDataRetention };
      const id = await startCrawl(options, {
        caller: callerOf(request),
        options: {
          ...shared,
          crawlEntireDomain: shared.crawlEntireDomain || body.allowBackwardLinks,
          sitemap: body.ignoreSitemap ? 'skip' : 'include',
          maxDepth: body.maxDepth,
        },
        page,
        webhook: toWebhookRequest(body.webhook),
        asked: toAsked(body, body.scrapeOptions),
        idempotency: idempotencyOf(request.headers['x-idempotency-key'], request.body),
        origin: field.toRequestOrigin('v1', { ...body, auditMetadata: body.scrapeOptions.auditMetadata }),
      });
      const url = `${options.publicAddress(request)}/v1/crawl/${id}`;
      return { success: true as const, id, url, ...warningField(optionWarnings(page)) };
    },
  );
  crawlRoutes(app, 'v1', options);
}
