import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyOf } from '../../contract/crawl.ts';
import { bearer, failures, withExample } from '../../contract/documentation.ts';
import { idempotencyHeaders, jobStarted } from '../../contract/jobs.ts';
import { toRequestOrigin } from '../../contract/scrape.ts';
import { crawlBody, previewAnswer, previewBody, toCrawl } from '../../contract/v2/crawl.ts';
import { toWebhookRequest } from '../../contract/webhook.ts';
import type { CrawlParams } from '../../crawl/crawl-params.ts';
import { paramsFromPrompt } from '../../crawl/params-from-prompt.ts';
import { startCrawl } from '../../crawl/start-crawl.ts';
import type { LanguageModel } from '../../llm/language-model.ts';
import { optionWarnings, warningField } from '../../pages/warnings.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import { type CrawlRouteOptions, crawlRoutes } from '../crawl-routes.ts';
import type { App } from '../types.ts';

export interface V2CrawlOptions extends CrawlRouteOptions {
  /** Reads prompts. Undefined: prompts are parsed as plain words. */
  model: LanguageModel | undefined;
}

export function v2Crawl(app: App, options: V2CrawlOptions): void {
  const { model } = options;
  app.post(
    '/v2/crawl',
    {
      config: { endpointGroup: 'crawl', rateGroup: 'crawl' },
      schema: {
        summary: 'Crawl a site',
        tags: ['crawl'],
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
    async (request, reply) => {
      const { body, headers } = request;
      const { params, warning } = await readPrompt(model, body, request, reply);
      const crawl = toCrawl(body, params);
      const publicAddress = options.publicAddress(request);
      const id = await startCrawl(options, {
        ...crawl,
        publicAddress,
        webhook: toWebhookRequest(body.webhook),
        caller: callerOf(request),
        idempotency: idempotencyOf(headers['x-idempotency-key'], body),
        origin: toRequestOrigin('v2', { ...body.scrapeOptions, ...body }),
      });
      const url = `${publicAddress}/v2/crawl/${id}`;
      return { success: true as const, id, url, ...warningField([warning, ...optionWarnings(crawl.page)]) };
    },
  );
  app.post(
    '/v2/crawl/params-preview',
    {
      config: { endpointGroup: 'crawl', rateGroup: 'crawl' },
      schema: {
        summary: 'Show the crawl options that a prompt means',
        tags: ['crawl'],
        security: bearer,
        body: withExample(previewBody, { url: 'https://example.com', prompt: 'only the blog, at most 20 pages' }),
        response: { 200: previewAnswer, ...failures },
      },
    },
    async (request, reply) => {
      const { params, ...notes } = await readPrompt(model, request.body, request, reply);
      return { success: true as const, data: { url: request.body.url, ...params }, ...notes };
    },
  );
  crawlRoutes(app, 'v2', options);
}

/** What the prompt of a call means, if it has one. Failures of the model go only to the log. */
async function readPrompt(
  model: LanguageModel | undefined,
  { prompt: words, url }: { prompt?: string | undefined; url: string },
  { log }: FastifyRequest,
  reply: FastifyReply,
): Promise<{ params: CrawlParams; warning?: string }> {
  if (words === undefined) return { params: {} };
  const { failure, ...read } = await paramsFromPrompt(model, { prompt: words, url }, clientGone(reply));
  if (failure !== undefined)
    log.warn({ err: failure }, 'the language model failed; the prompt was parsed as plain words');
  return read;
}
