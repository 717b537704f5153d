import { z } from 'zod';
import { isoTime, now } from '../clock.ts';
import type { FailedTask, StoredJob } from '../store/operations/jobs/read-job.ts';
import { scrapedDocument } from './documentation.ts';
import { toWebhookSummary, webhookField, webhookStatus } from './webhook.ts';

/** The fields and responses that batches and crawls share in both API versions. */

export const jobParams = z.object({ id: z.uuid('must be the id of a job') });

export const idempotencyHeaders = z.looseObject({
  'x-idempotency-key': z
    .string()
    .max(255)
    // Fastify merges this result over the raw headers, so a blank key has to become undefined explicitly.
    .transform((key) => (key.trim() === '' ? undefined : key))
    .optional()
    .describe('Requests with the same key start one job, and all get its response'),
});

export const statusQuery = z.object({
  skip: z.coerce.number().int().min(0).default(0).describe('Number of documents to skip, in the order of completion'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Maximum number of documents in the response; by default as many as fit'),
});

/** Fields of a job, besides the options of its pages. */
export const jobFields = {
  maxConcurrency: z.int().min(1).optional().describe('Maximum number of pages scraped at the same time'),
  zeroDataRetention: z
    .boolean()
    .default(false)
    .describe('Keep only the results, and those for at most an hour after the job ends'),
  ignoreRobotsTxt: z.boolean().default(false).describe('Ignore the rules and the crawl delay of robots.txt'),
  webhook: webhookField,
};

export const jobStarted = z.object({
  success: z.literal(true),
  id: z.string(),
  url: z.string().describe('Address of the status of the job'),
  warning: z.string().optional().describe('Parts of the request that have no effect or could not be used, and why'),
});

export const jobStatusAnswer = z.object({
  success: z.literal(true),
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  total: z.int().describe('Pages that the job has accepted'),
  completed: z
    .int()
    .describe('Accepted pages that are finished, including those that failed or that robots.txt forbids'),
  creditsUsed: z.int(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  expiresAt: z.string(),
  next: z.string().optional().describe('Address of the next documents'),
  webhook: webhookStatus,
  data: z.array(scrapedDocument),
});

export const jobErrors = z.object({
  errors: z.array(
    z.object({ id: z.string(), timestamp: z.string(), code: z.string(), url: z.string(), error: z.string() }),
  ),
  robotsBlocked: z.array(z.string()),
  next: z.string().optional().describe('Address of the next part of the list; absent at the end'),
});

export const errorsQuery = z.object({
  skip: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Number of pages to skip, in the order in which they failed'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Maximum number of pages in the response; by default as many as fit'),
});

export const jobCancelled = z.object({ success: z.literal(true), status: z.literal('cancelled') });

/** A status as JSON. The documents are JSON already: parsing and writing 10 MB again would block all other requests. */
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
    // Progress bars read this: at the end it equals the total. Pages without a result are in the error report.
    completed: job.completed + job.failed,
    creditsUsed: job.credits,
    createdAt: isoTime(job.createdAt),
    ...(job.finishedAt === null ? {} : { completedAt: isoTime(job.finishedAt) }),
    // While the job runs, this is the earliest possible time.
    expiresAt: isoTime(job.expiresAt ?? now() + job.keepMs),
    ...(job.error === null ? {} : { error: job.error.message, code: job.error.code }),
    ...(job.webhook === null ? {} : { webhook: toWebhookSummary(job.webhook) }),
    ...(next === undefined ? {} : { next }),
  };
  return `${JSON.stringify(head).slice(0, -1)},"data":[${documents.join(',')}]}`;
}

/** The address of the next part of a list; undefined at its end. */
export function nextAddress(address: string, next: number | null, limit: number | undefined): string | undefined {
  return next === null ? undefined : `${address}?skip=${next}${limit === undefined ? '' : `&limit=${limit}`}`;
}

/** Section 2.2 of the specification, plus the code of each failure. */
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
