import { z } from 'zod';
import { type CrawlParams, paramsFromWords } from '../../crawl/params-from-words.ts';
import { startCrawl } from '../../crawl/start-crawl.ts';
import { callerOf } from '../authentication.ts';
import { crawlFields, toAsked, toSharedCrawlOptions } from '../crawl-answers.ts';
import { type CrawlRouteOptions, crawlRoutes } from '../crawl-routes.ts';
import { bearer, failures } from '../documentation.ts';
import { idempotencyHeaders, jobStarted, toJobOptions } from '../job-answers.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';
import { scrapeOptionFields, toScrapeOptions } from './scrape-options.ts';

const prompt = z
  .string()
  .min(1)
  .max(10_000)
  .describe('What to crawl, in words, such as "only the blog, at most 50 pages"');

const crawlBody = z.strictObject({
  ...crawlFields,
  ...field.originFields,
  prompt: prompt.optional(),
  sitemap: z
    .enum(['include', 'skip', 'only'])
    .default('include')
    .describe('Whether pages are found by the sitemaps of the site too, or by them only'),
  scrapeOptions: z.strictObject(scrapeOptionFields).prefault({}).describe('How each page is scraped'),
});

/** Of the fields that can be said in words, those that the caller wrote count. */
const promptedBody = z.preprocess(withPrompt, crawlBody);

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
        body: promptedBody,
        response: { 200: jobStarted, ...failures },
      },
    },
    async (request) => {
      const { body } = request;
      const { zeroDataRetention } = toJobOptions(body);
      const id = await startCrawl(options, {
        caller: callerOf(request),
        options: { ...toSharedCrawlOptions(body), sitemap: body.sitemap, maxDepth: null },
        page: { ...toScrapeOptions(body.scrapeOptions), zeroDataRetention },
        asked: toAsked(body, body.scrapeOptions),
        idempotencyKey: request.headers['x-idempotency-key'] ?? null,
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

function withPrompt(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('prompt' in body) || typeof body.prompt !== 'string') return body;
  const said: CrawlParams = paramsFromWords(body.prompt);
  return { ...said, ...body };
}
