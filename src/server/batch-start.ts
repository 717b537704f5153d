import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type BatchServices, startBatch } from '../batch/start-batch.ts';
import type * as batch from '../contract/batch.ts';
import type { idempotencyHeaders } from '../contract/jobs.ts';
import { toRequestOrigin } from '../contract/scrape.ts';
import { toWebhookRequest } from '../contract/webhook.ts';
import type { ScrapeOptions } from '../pages/request.ts';
import { optionWarnings, warningField } from '../pages/warnings.ts';
import { callerOf } from './authentication.ts';
import type { JobRouteOptions } from './job-routes.ts';

export type BatchRouteOptions = BatchServices & JobRouteOptions;

/** The fields of a batch in both versions, besides the options of its pages. */
type StartBody = z.infer<z.ZodObject<typeof batch.batchFields>> &
  Parameters<typeof toRequestOrigin>[1] & { ignoreInvalidURLs: boolean };

type StartRequest = FastifyRequest & { body: StartBody; headers: z.infer<typeof idempotencyHeaders> };

/** Starts a batch, or adds to one, and responds with its address. */
export async function answerStart(
  options: BatchRouteOptions,
  version: 'v1' | 'v2',
  request: StartRequest,
  pageOptions: Omit<ScrapeOptions, 'zeroDataRetention'>,
): Promise<z.infer<typeof batch.batchStarted>> {
  const { body, headers } = request;
  const { urls, ignoreInvalidURLs, maxConcurrency = null, appendToId = null } = body;
  const { zeroDataRetention, ignoreRobotsTxt } = body;
  const publicAddress = options.publicAddress(request);
  const batchOptions = { ...pageOptions, zeroDataRetention, ignoreRobotsTxt };
  const { id, invalidURLs } = await startBatch(options, {
    ...{ urls, ignoreInvalidURLs, maxConcurrency, appendToId },
    caller: callerOf(request),
    idempotencyKey: headers['x-idempotency-key'] ?? null,
    options: batchOptions,
    webhook: toWebhookRequest(body.webhook),
    origin: toRequestOrigin(version, body),
    publicAddress,
  });
  const url = `${publicAddress}/${version}/batch/scrape/${id}`;
  const warning = warningField(optionWarnings(batchOptions));
  return { success: true, id, url, ...(ignoreInvalidURLs ? { invalidURLs } : {}), ...warning };
}
