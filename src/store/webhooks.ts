import { decompress } from './compression.ts';
import type { Runner } from './database.ts';
import {
  claimEvents,
  type Delivery,
  type EventClaim,
  nextEventAt,
  settleEvent,
} from './operations/jobs/deliver-events.ts';
import { findResult, findSecret, listEvents, putSecret } from './operations/jobs/read-webhook.ts';
import { outlast } from './store-away.ts';

/** What jobs tell, to whom, and how far that has got. */
export function createWebhookStore(runner: Runner) {
  return {
    /** Events of a job, the oldest first. */
    events: (job: number, range: { skip: number; limit: number }) => runner.read(listEvents, { job, ...range }),

    /** When an event may next be delivered; null when there is none. */
    nextAt: () => runner.read(nextEventAt, undefined),
    /** Hands out events that are due. */
    claim: (claim: EventClaim) => runner.write(claimEvents, claim),
    /** Keeps what came of a try, also when the database is away for a moment: else what was delivered comes again. */
    settle: (delivery: Delivery) => outlast(() => runner.write(settleEvent, delivery)),
    /** A result of a job as JSON text; null when its time is over. */
    async document(job: number, seq: number): Promise<string | null> {
      const found = await runner.read(findResult, { job, seq });
      return found && new TextDecoder().decode(await decompress(found));
    },

    /** The team's secret, or null. */
    secret: (teamId: string) => runner.read(findSecret, teamId),
    /** Gives the team a secret, or another one; resolves with the one that it has then. */
    putSecret: (teamId: string, secret: string, { replaces }: { replaces: boolean }) =>
      runner.writeOnce(putSecret, { teamId, secret, replaces }),
  };
}
