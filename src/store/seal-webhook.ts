import type { SealedEvent, WebhookTarget } from './operations/jobs/deliver-events.ts';
import type { StoredEvent, StoredWebhook, WebhookState } from './operations/jobs/read-webhook.ts';
import type { NewWebhook, SealedWebhook } from './operations/jobs/webhook-events.ts';
import { isSecretMismatch } from './sealing/cipher.ts';
import type { JobSeal } from './sealing/job-seal.ts';

// Webhooks as they are stored, and what they are again. Their targets are sealed whatever the job is; what they tell of
// its tasks and what receivers answered only where tasks are hidden.

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
  if (!seal?.hidesTasks) return event;
  const { payload, error } = event;
  return { ...event, payload: payload && seal.open('address', payload), error: openError(seal, error) };
}

/** What an event tells, beside its target. */
export function openContent<E extends EventContent>(seal: JobSeal | null, event: E): E {
  if (!seal?.hidesTasks) return event;
  const { task, data, jobError } = event;
  return {
    ...event,
    task: task && { ...task, payload: seal.open('address', task.payload), error: openError(seal, task.error) },
    data: data && seal.open('event', data),
    jobError: openError(seal, jobError),
  };
}

type EventContent = Pick<SealedEvent, 'task' | 'data' | 'jobError'>;

/** It can name the host of the receiver. */
export function sealError(seal: JobSeal | null, error: string): string {
  return seal?.hidesTasks ? seal.seal('error', error) : error;
}

function openError(seal: JobSeal | null, error: string | null): string | null {
  return seal?.hidesTasks && error !== null ? seal.open('error', error) : error;
}
