import { TrawlError } from '../errors.ts';
import { decompress } from './compression.ts';
import type { Runner } from './database.ts';
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
import type { Sealing } from './sealing.ts';
import { outlast } from './store-away.ts';

/** What jobs tell, to whom, and how far that has got. */
export function createWebhookStore(runner: Runner, sealing: Sealing) {
  /** Keeps what came of a try, also when the database is away for a moment: else what was delivered comes again. */
  function settle(delivery: Delivery): Promise<void> {
    return outlast(async () => {
      const seal = await sealing.ifReadable(delivery.event);
      const { end } = delivery;
      const sealed = end.type === 'failed' ? { ...end, error: sealError(seal, end.error) } : end;
      await runner.write(recordDelivery, { ...delivery, end: sealed });
      // With its last event a webhook forgets its target.
      sealing.hasErased = true;
    });
  }

  async function openOrGiveUp({ target, ...event }: SealedEvent, at: number): Promise<ClaimedEvent | null> {
    try {
      const seal = await sealing.of(event);
      return { ...openContent(seal, event), ...openTarget(seal, target) };
    } catch (error) {
      if (!(error instanceof TrawlError) || !isSecretMismatch(error)) throw error;
      await settle({ event, at, end: { type: 'failed', status: null, error: error.message, runAt: null } });
      return null;
    }
  }

  return {
    /** Events of a job, the oldest first. */
    async events({ team, job }: JobRef, range: { skip: number; limit: number }) {
      const reading = runner.read(listEvents, { team, job, ...range });
      const [seal, events] = await Promise.all([sealing.ofTasks({ team, job }), reading]);
      return events.map((event) => openEvent(seal, event));
    },

    /** When an event may next be delivered; null when there is none. */
    nextAt: () => runner.read(nextEventAt, undefined),
    /** Hands out events that are due. Those whose target cannot be read any more end here. */
    async claim(claim: EventClaim): Promise<ClaimedEvent[]> {
      const events = await runner.write(claimEvents, claim);
      const opened = await Promise.all(events.map((event) => openOrGiveUp(event, claim.at)));
      return opened.filter((event) => event !== null);
    },
    settle,
    /** A result of a job as JSON text; null when its time is over. */
    async document({ team, job }: JobRef, seq: number): Promise<string | null> {
      const found = await runner.read(findResult, { team, job, seq });
      if (found === null) return null;
      return new TextDecoder().decode(await decompress(openDocument(await sealing.ofTasks({ team, job }), found)));
    },

    /** The team's secret, or null. */
    secret: (teamId: string) => runner.read(findSecret, teamId),
    /** Gives the team a secret, or another one; resolves with the one that it has then. */
    putSecret: (teamId: string, secret: string, { replaces }: { replaces: boolean }) =>
      runner.writeOnce(putSecret, { teamId, secret, replaces }),
  };
}
