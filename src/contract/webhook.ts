import { z } from 'zod';
import { isoTime } from '../clock.ts';
import { JOB_EVENTS } from '../jobs/job-kind.ts';
import type { StoredEvent, StoredWebhook } from '../store/operations/jobs/read-webhook.ts';
import type { WebhookRequest } from '../webhook/new-webhook.ts';

/** What jobs of every kind take for a webhook, and answer of it. */

const webhook = z.strictObject({
  url: z.string().describe('Where events are posted to'),
  headers: z.record(z.string(), z.string()).default({}).describe('Headers to send with each event'),
  metadata: z.record(z.string(), z.unknown()).default({}).describe('Given back with each event'),
  events: z.array(z.enum(JOB_EVENTS)).optional().describe('Which events to send; all when empty or left out'),
});

/** An address alone stands for a webhook that is told everything. */
export const webhookField = z
  .preprocess((given) => (typeof given === 'string' ? { url: given } : given), webhook)
  .optional()
  .describe('Where the job tells of itself: signed events, or an address alone');

export function toWebhookRequest(given: z.infer<typeof webhookField>): WebhookRequest | null {
  if (given === undefined) return null;
  return { ...given, events: given.events?.length === 0 ? undefined : given.events };
}

const webhookSummary = z.object({
  pending: z.int().describe('Events that are not delivered yet'),
  delivered: z.int(),
  failed: z.int().describe('Events that were given up'),
  lastError: z.string().nullable().describe('What the last try that failed has met'),
});

/** Beside the status of a job that has a webhook. */
export const webhookStatus = webhookSummary.optional().describe('How the deliveries of the webhook stand');

export function toWebhookSummary({ total, delivered, failed, lastError }: StoredWebhook) {
  return { pending: total - delivered - failed, delivered, failed, lastError };
}

export const webhookQuery = z.object({
  skip: z.coerce.number().int().min(0).default(0).describe('Events to leave out, the oldest first'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Events in the answer'),
});

export const webhookReport = webhookSummary.extend({
  success: z.literal(true),
  url: z.string().nullable().describe('Where events go; null when nothing is left to deliver, and it is forgotten'),
  nextAttemptAt: z.string().nullable().describe('When the first pending event is tried'),
  events: z.array(
    z.object({
      id: z.string().describe('The "webhookId" of the event'),
      type: z.string().describe('Such as "started", "page", "completed", "failed"'),
      url: z.string().nullable().describe('Of the page that it tells of'),
      status: z.enum(['pending', 'delivered', 'failed']),
      attempts: z.int(),
      statusCode: z.int().nullable().describe('Of the last answer'),
      error: z.string().nullable().describe('What the last try has met, if it failed'),
      createdAt: z.string(),
      endedAt: z.string().nullable(),
    }),
  ),
});

export function toWebhookReport(webhook: StoredWebhook, events: readonly StoredEvent[]): z.infer<typeof webhookReport> {
  return {
    success: true,
    url: webhook.url,
    ...toWebhookSummary(webhook),
    nextAttemptAt: webhook.nextAt === null ? null : isoTime(webhook.nextAt),
    events: events.map(({ id, type, payload, state, attempts, status, error, createdAt, endedAt }) => ({
      id,
      type,
      url: payload,
      status: state,
      attempts,
      statusCode: status,
      error,
      createdAt: isoTime(createdAt),
      endedAt: endedAt === null ? null : isoTime(endedAt),
    })),
  };
}
