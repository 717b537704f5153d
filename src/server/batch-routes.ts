import type { z } from 'zod';
import { batchFailures, batchStatus, batchWebhook, cancelBatch, findBatch } from '../batch/batch-report.ts';
import { type BatchServices, startBatch } from '../batch/start-batch.ts';
import type { ScrapeOptions } from '../scrape/request.ts';
import type { Caller } from '../team/keys.ts';
import { callerOf } from './authentication.ts';
import * as batch from './batch-answers.ts';
import { bearer, failures } from './documentation.ts';
import { type JobStreams, jobStream } from './job-stream.ts';
import { toRequestOrigin } from './scrape-fields.ts';
import type { App } from './types.ts';
import { toWebhookReport, toWebhookRequest, webhookQuery, webhookReport } from './webhook-fields.ts';

export interface BatchRouteOptions extends BatchServices, JobStreams {
  /** The public base address without a trailing slash. */
  baseUrl: () => string;
}

/** What the body of a start has in both versions, beside the options of its pages. */
type StartBody = z.infer<z.ZodObject<typeof batch.batchFields>> &
  Parameters<typeof toRequestOrigin>[1] & { ignoreInvalidURLs: boolean };

/** Starts a batch, or adds to one, and answers where it is. */
export async function answerStart(
  options: BatchRouteOptions,
  version: 'v1' | 'v2',
  request: { caller: Caller; idempotencyKey: string | undefined; body: StartBody },
  pageOptions: Omit<ScrapeOptions, 'zeroDataRetention'>,
): Promise<z.infer<typeof batch.batchStarted>> {
  const { caller, idempotencyKey = null, body } = request;
  const { urls, ignoreInvalidURLs, maxConcurrency = null, appendToId = null } = body;
  const { id, invalidURLs } = await startBatch(options, {
    ...{ caller, urls, ignoreInvalidURLs, maxConcurrency, appendToId, idempotencyKey },
    options: { ...pageOptions, ...batch.toBatchOptions(body) },
    webhook: toWebhookRequest(body.webhook),
    origin: toRequestOrigin(version, body),
  });
  const url = `${options.baseUrl()}/${version}/batch/scrape/${id}`;
  return { success: true, id, url, ...(ignoreInvalidURLs ? { invalidURLs } : {}) };
}

/** What is asked and done about a batch that was started, in the same words in both API versions. */
export function batchRoutes(app: App, version: 'v1' | 'v2', tags: string[], options: BatchRouteOptions): void {
  const { store, baseUrl } = options;
  const schema = { tags, security: bearer, params: batch.batchParams };
  const config = { endpointGroup: 'batch', rateGroup: 'status' } as const;
  const path = `/${version}/batch/scrape/:id`;

  // The v1 client waits for a batch at the address of a crawl.
  for (const statusPath of version === 'v1' ? [path, '/v1/crawl/:id'] : [path]) {
    app.route({
      method: 'GET',
      url: statusPath,
      config,
      schema: {
        ...schema,
        summary: statusPath === path ? 'How far a batch is, with its documents' : 'The same, for older clients',
        description: 'As a WebSocket, with the key as the subprotocol, it tells of each document when it is there.',
        querystring: batch.statusQuery,
        response: { 200: batch.batchStatusAnswer, ...failures },
      },
      ...jobStream(options, {
        find: ({ teamId }, id) => findBatch(store, teamId, id),
        toStatus: batch.statusText,
        repeatsStatus: version === 'v2',
      }),
      handler: async (request, reply) => {
        const { id } = request.params;
        const { skip, limit } = request.query;
        const status = await batchStatus(store, callerOf(request).teamId, id, { skip, limit: limit ?? null });
        return batch.sendStatus(reply, status, baseUrl() + statusPath.replace(':id', id), limit);
      },
    });
  }

  app.delete(
    path,
    { config, schema: { ...schema, summary: 'Cancel a batch', response: { 200: batch.batchCancelled, ...failures } } },
    async (request) => {
      await cancelBatch(store, callerOf(request).teamId, request.params.id);
      return { success: true as const, status: 'cancelled' as const };
    },
  );

  app.get(
    `${path}/webhook`,
    {
      config,
      schema: {
        ...schema,
        summary: 'What was told to the webhook, and what has come of it',
        querystring: webhookQuery,
        response: { 200: webhookReport, ...failures },
      },
    },
    async (request) => {
      const { webhook, events } = await batchWebhook(store, callerOf(request).teamId, request.params.id, request.query);
      return toWebhookReport(webhook, events);
    },
  );

  // The v1 client asks for the report with DELETE.
  for (const method of version === 'v1' ? (['GET', 'DELETE'] as const) : (['GET'] as const)) {
    app.route({
      method,
      url: `${path}/errors`,
      config,
      schema: {
        ...schema,
        summary: 'The pages that gave no result',
        response: { 200: batch.batchErrors, ...failures },
      },
      handler: async (request) =>
        batch.toErrorReport(await batchFailures(store, callerOf(request).teamId, request.params.id)),
    });
  }
}
