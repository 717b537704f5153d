import { TrawlError } from '../errors.ts';
import { decompress } from './compression.ts';
import type { Documents } from './documents.ts';
import {
  type ClaimedEvent,
  claimEvents,
  type Delivery,
  type EventClaim,
  nextEventAt,
  recordDelivery,
  type SealedEvent,
} from './operations/jobs/deliver-events.ts';
import { findResult, findSecret, listEvents, putSecret } from './operations/jobs/read-webhook.ts';
import type { JobRef } from './operations/jobs/rows.ts';
import { openContent, openEvent, openTarget, sealError } from './seal-webhook.ts';
import { openDocument } from './seal-work.ts';
import { isSecretMismatch } from './sealing/cipher.ts';
import { outlast } from './store-away.ts';

/** Webhook events, their receivers, and the state of their delivery. */
export function createWebhookStore({ runner, sealing, largeResults }: Documents) {
  /**
   * Records the outcome of an attempt, even if the database is unreachable for a moment: otherwise the event would be
   * delivered again.
   */
  function settle(delivery: Delivery): Promise<void> {
    return outlast(async () => {
      const job = jobOf(delivery.event);
      const seal = job && (await sealing.ifReadable(job));
      const { end } = delivery;
      const sealed = end.type === 'failed' ? { ...end, error: sealError(seal, end.error) } : end;
      await runner.write(recordDelivery, { ...delivery, end: sealed });
      // A webhook forgets its target with its last event.
      sealing.hasErased = true;
    });
  }

  async function openOrGiveUp({ target, ...event }: SealedEvent, at: number): Promise<ClaimedEvent | null> {
    try {
      const job = jobOf(event);
      const seal = job && (await sealing.of(job));
      return { ...openContent(seal, event), ...openTarget(seal, target) };
    } catch (error) {
      if (!(error instanceof TrawlError) || !isSecretMismatch(error)) throw error;
      await settle({ event, at, end: { type: 'failed', status: null, error: error.message, runAt: null } });
      return null;
    }
  }

  return {
    /** The events of a job, oldest first. */
    async events({ team, job }: JobRef, range: { skip: number; limit: number }) {
      const reading = runner.read(listEvents, { team, job, ...range });
      const [seal, events] = await Promise.all([sealing.ofTasks({ team, job }), reading]);
      return events.map((event) => openEvent(seal, event));
    },

    /** When the next delivery of any event is due; null when there is none. */
    nextAt: () => runner.read(nextEventAt, undefined),
    /** Claims events that are due. Those whose target can no longer be read end here. */
    async claim(claim: EventClaim): Promise<ClaimedEvent[]> {
      const events = await runner.write(claimEvents, claim);
      const opened = await Promise.all(events.map((event) => openOrGiveUp(event, claim.at)));
      return opened.filter((event) => event !== null);
    },
    settle,
    /** A result of a job as JSON text; null when it has expired. */
    async document(event: Pick<ClaimedEvent, 'team' | 'job'>, seq: number): Promise<string | null> {
      const job = jobOf(event);
      if (job === null) return null;
      const found = await runner.read(findResult, { ...job, seq });
      if (found === null) return null;
      const [seal, document] = await Promise.all([sealing.ofTasks(job), largeResults.get(found)]);
      return new TextDecoder().decode(await decompress(openDocument(seal, document)));
    },

    /** The team's secret; null if it has none. */
    secret: (teamId: string) => runner.read(findSecret, teamId),
    /** Stores a secret for the team, or replaces it. Resolves with the secret in force. */
    putSecret: (teamId: string, secret: string, { replaces }: { replaces: boolean }) =>
      runner.writeOnce(putSecret, { teamId, secret, replaces }),
  };
}

/** The job that an event is about; null if its subject is something else. */
function jobOf({ team, job }: Pick<ClaimedEvent, 'team' | 'job'>): JobRef | null {
  return job === null ? null : { team, job };
}
