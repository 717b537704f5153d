import { z } from 'zod';
import { isoTime, now } from '../clock.ts';
import type { FailedTask, StoredJob } from '../store/operations/jobs/read-job.ts';
import { scrapedDocument } from './documentation.ts';
import { toWebhookSummary, webhookField, webhookStatus } from './webhook.ts';

/** What both API versions take for batches and crawls, and answer of them. */

export const jobParams = z.object({ id: z.uuid('must be the id of a job') });

export const idempotencyHeaders = z.looseObject({
  'x-idempotency-key': z
    .string()
    .max(255)
    // Fastify lays what this gives over the raw headers, so a blank key has to be given as undefined.
    .transform((key) => (key.trim() === '' ? undefined : key))
    .optional()
    .describe('Of requests with the same key one is done, and all get its answer'),
});

export const statusQuery = z.object({
  skip: z.coerce.number().int().min(0).default(0).describe('Documents to leave out, in the order of completion'),
  limit: z.coerce.number().int().min(1).optional().describe('Documents in the answer; as many as fit when left out'),
});

/** Fields of a job beside the options of its pages. */
export const jobFields = {
  maxConcurrency: z.int().min(1).optional().describe('Pages at the same time, at most'),
  zeroDataRetention: z
    .boolean()
    .default(false)
    .describe('Keep nothing but the results, and those for an hour after the end at most'),
  ignoreRobotsTxt: z.boolean().default(false).describe('Scrape what robots.txt keeps out, and at any pace'),
  webhook: webhookField,
};

export const jobStarted = z.object({
  success: z.literal(true),
  id: z.string(),
  url: z.string().describe('Where its status is'),
  warning: z.string().optional().describe('What of the request has no effect or could not be used, and why'),
});

export const jobStatusAnswer = z.object({
  success: z.literal(true),
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  total: z.int().describe('Pages that were taken on'),
  completed: z.int().describe('Of these, pages that came to their end, also those that failed or were kept out'),
  creditsUsed: z.int(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  expiresAt: z.string(),
  next: z.string().optional().describe('Where the next documents are'),
  webhook: webhookStatus,
  data: z.array(scrapedDocument),
});

export const jobErrors = z.object({
  errors: z.array(
    z.object({ id: z.string(), timestamp: z.string(), code: z.string(), url: z.string(), error: z.string() }),
  ),
  robotsBlocked: z.array(z.string()),
  next: z.string().optional().describe('Where the next ones are; missing at the end'),
});

export const errorsQuery = z.object({
  skip: z.coerce.number().int().min(0).default(0).describe('Pages to leave out, in the order in which they failed'),
  limit: z.coerce.number().int().min(1).optional().describe('Pages in the answer; as many as fit when left out'),
});

export const jobCancelled = z.object({ success: z.literal(true), status: z.literal('cancelled') });

/** A status as JSON. The documents are that already: reading 10 MB of it to write it again would hold everybody up. */
export function statusText(
  job: StoredJob,
  documents: readonly string[],
  _conclusion: string | null,
  next?: string,
): string {
  const head = {
    success: true,
    status: job.status,
    total: job.total,
    // What progress bars read: at the end it is the total. Pages without a result are in the error report.
    completed: job.completed + job.failed,
    creditsUsed: job.credits,
    createdAt: isoTime(job.createdAt),
    ...(job.finishedAt === null ? {} : { completedAt: isoTime(job.finishedAt) }),
    // While it goes on: the earliest that it can be.
    expiresAt: isoTime(job.expiresAt ?? now() + job.keepMs),
    ...(job.error === null ? {} : { error: job.error.message, code: job.error.code }),
    ...(job.webhook === null ? {} : { webhook: toWebhookSummary(job.webhook) }),
    ...(next === undefined ? {} : { next }),
  };
  return `${JSON.stringify(head).slice(0, -1)},"data":[${documents.join(',')}]}`;
}

/** Where a list goes on; undefined at its end. */
export function nextAddress(address: string, next: number | null, limit: number | undefined): string | undefined {
  return next === null ? undefined : `${address}?skip=${next}${limit === undefined ? '' : `&limit=${limit}`}`;
}

/** Section 2.2 of the specification, with the code of each failure beside it. */
export function toErrorReport(failures: readonly FailedTask[], next?: string): z.infer<typeof jobErrors> {
  return {
    errors: failures
      .filter(({ blocked }) => !blocked)
      .map(({ tryId, finishedAt, code, payload: url, message }) => ({
        id: tryId ?? '',
        timestamp: isoTime(finishedAt),
        code: code ?? 'INTERNAL_ERROR',
        url,
        error: message ?? 'The page could not be scraped.',
      })),
    robotsBlocked: failures.filter(({ blocked }) => blocked).map(({ payload }) => payload),
    ...(next === undefined ? {} : { next }),
  };
}
