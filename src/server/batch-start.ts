import type { z } from 'zod';
import { type BatchServices, startBatch } from '../batch/start-batch.ts';
import type { ScrapeOptions } from '../scrape/request.ts';
import type { Caller } from '../team/keys.ts';
import type * as batch from './batch-answers.ts';
import type { JobRouteOptions } from './job-routes.ts';
import { toRequestOrigin } from './scrape-fields.ts';
import { toWebhookRequest } from './webhook-fields.ts';

export type BatchRouteOptions = BatchServices & JobRouteOptions;

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
  const { zeroDataRetention, ignoreRobotsTxt } = body;
  const { id, invalidURLs } = await startBatch(options, {
    ...{ caller, urls, ignoreInvalidURLs, maxConcurrency, appendToId, idempotencyKey },
    options: { ...pageOptions, zeroDataRetention, ignoreRobotsTxt },
    webhook: toWebhookRequest(body.webhook),
    origin: toRequestOrigin(version, body),
  });
  const url = `${options.baseUrl()}/${version}/batch/scrape/${id}`;
  return { success: true, id, url, ...(ignoreInvalidURLs ? { invalidURLs } : {}) };
}
