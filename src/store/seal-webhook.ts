import type { SealedEvent, WebhookTarget } from './operations/jobs/deliver-events.ts';
import type { StoredEvent, StoredWebhook, WebhookState } from './operations/jobs/read-webhook.ts';
import type { NewWebhook, SealedWebhook } from './operations/jobs/webhook-events.ts';
import { isSecretMismatch } from './sealing/cipher.ts';
import type { JobSeal } from './sealing/job-seal.ts';

// Seals and opens webhooks. Their targets are always sealed; their events and the responses of receivers only if the
// tasks of the job are hidden.

export function sealWebhook(seal: JobSeal, { url, headers, metadata, events }: NewWebhook): SealedWebhook {
  const target: WebhookTarget = { url, headers, metadata };
  return { target: seal.seal('webhook', JSON.stringify(target)), events };
}

/** Throws SECRET_MISMATCH. Jobs from before sealing was introduced have no seal, and their targets are plain text. */
export function openTarget(seal: JobSeal | null, target: string): WebhookTarget {
  return JSON.parse(seal?.open('webhook', target) ?? target);
}

/** @param seal null also when the key of the job cannot be read: then the address is left out */
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

/** The content of an event, without its target. */
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

/** It can contain the host of the receiver. */
export function sealError(seal: JobSeal | null, error: string): string {
  return seal?.hidesTasks ? seal.seal('error', error) : error;
}

function openError(seal: JobSeal | null, error: string | null): string | null {
  return seal?.hidesTasks && error !== null ? seal.open('error', error) : error;
}
