import type { EventPage, WebhookTarget } from './operations/jobs/deliver-events.ts';
import type { StoredEvent, StoredWebhook, WebhookState } from './operations/jobs/read-webhook.ts';
import type { NewWebhook, SealedWebhook } from './operations/jobs/webhook-events.ts';
import { isSecretMismatch } from './sealing/cipher.ts';
import type { JobSeal } from './sealing/job-seal.ts';

// Webhooks as they are stored, and what they are again. Their targets are sealed whatever the job is; what they tell of
// its pages and what receivers answered only where pages are hidden.

export function sealWebhook(seal: JobSeal, { url, headers, metadata, events }: NewWebhook): SealedWebhook {
  const target: WebhookTarget = { url, headers, metadata };
  return { target: seal.seal('webhook', JSON.stringify(target)), events };
}

/** Throws SECRET_MISMATCH. A job from before there were seals has no seal, and its target is as it was. */
export function openTarget(seal: JobSeal | null, target: string): WebhookTarget {
  return JSON.parse(seal?.open('webhook', target) ?? target);
}

/** @param seal null also when the key of the job cannot be read: then the address is not told */
export function openWebhook(seal: JobSeal | null, { target, ...webhook }: WebhookState): StoredWebhook {
  const url = target === '' ? null : addressOf(seal, target);
  return { ...webhook, url, lastError: openError(seal, webhook.lastError) };
}

function addressOf(seal: JobSeal | null, target: string): string | null {
  try {
    return openTarget(seal, target).url;
  } catch (error) {
    if (error instanceof SyntaxError || isSecretMismatch(error)) return null;
    throw error;
  }
}

export function openEvent(seal: JobSeal | null, event: StoredEvent): StoredEvent {
  if (!seal?.hidesPages) return event;
  const { pageUrl, error } = event;
  return { ...event, pageUrl: pageUrl && seal.open('address', pageUrl), error: openError(seal, error) };
}

export function openEventPage(seal: JobSeal | null, page: EventPage | null): EventPage | null {
  if (!seal?.hidesPages || page === null) return page;
  return { ...page, url: seal.open('address', page.url), error: openError(seal, page.error) };
}

/** It can name the host of the receiver. */
export function sealError(seal: JobSeal | null, error: string): string {
  return seal?.hidesPages ? seal.seal('error', error) : error;
}

function openError(seal: JobSeal | null, error: string | null): string | null {
  return seal?.hidesPages && error !== null ? seal.open('error', error) : error;
}
