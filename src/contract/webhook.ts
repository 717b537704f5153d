import { z } from 'zod';
import { isoTime } from '../clock.ts';
import { JOB_EVENTS } from '../jobs/job-kind.ts';
import type { StoredEvent, StoredWebhook } from '../store/operations/jobs/read-webhook.ts';
import type { WebhookRequest } from '../webhook/new-webhook.ts';

/** The webhook field and its responses, for jobs of every kind. */

const webhook = z.strictObject({
  url: z.string().describe('Address that events are posted to'),
  headers: z.record(z.string(), z.string()).default({}).describe('Headers to send with each event'),
  metadata: z.record(z.string(), z.unknown()).default({}).describe('Returned with each event'),
  events: z.array(z.enum(JOB_EVENTS)).optional().describe('The events to send; by default, or when empty, all of them'),
});

/** An address alone stands for a webhook that gets all events. */
export const webhookField = z
  .preprocess((given) => (typeof given === 'string' ? { url: given } : given), webhook)
  .optional()
  .describe('Webhook that gets signed events of the job: an object, or an address alone');

export function toWebhookRequest(given: z.infer<typeof webhookField>): WebhookRequest | null {
  if (given === undefined) return null;
  return { ...given, events: given.events?.length === 0 ? undefined : given.events };
}

const webhookSummary = z.object({
  pending: z.int().describe('Events that are not delivered yet'),
  delivered: z.int(),
  failed: z.int().describe('Events whose delivery was given up'),
  lastError: z.string().nullable().describe('Error of the last failed attempt'),
});

/** Part of the status of a job that has a webhook. */
export const webhookStatus = webhookSummary.optional().describe('Progress of the webhook deliveries');

export function toWebhookSummary({ total, delivered, failed, lastError }: StoredWebhook) {
  return { pending: total - delivered - failed, delivered, failed, lastError };
}

export const webhookQuery = z.object({
  skip: z.coerce.number().int().min(0).default(0).describe('Number of events to skip, oldest first'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Maximum number of events in the response'),
});

export const webhookReport = webhookSummary.extend({
  success: z.literal(true),
  url: z
    .string()
    .nullable()
    .describe('Address that events are posted to; null once nothing is left to deliver, when it is forgotten'),
  nextAttemptAt: z.string().nullable().describe('Time of the next attempt at the first pending event'),
  events: z.array(
    z.object({
      id: z.string().describe('The "webhookId" of the event'),
      type: z.string().describe('For example "started", "page", "completed" or "failed"'),
      url: z.string().nullable().describe('Address of the page that the event is about'),
      status: z.enum(['pending', 'delivered', 'failed']),
      attempts: z.int(),
      statusCode: z.int().nullable().describe('Status code of the last response'),
      error: z.string().nullable().describe('Error of the last attempt, if it failed'),
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
