import { now } from '../clock.ts';
import type { JobTask } from '../jobs/task.ts';
import type { Charge, ChargeKind } from '../store/operations/charges.ts';

/** What a page costs that was delivered. The page is in the key: however often it is worked on, it is charged once. */
export function pageCharge(task: JobTask, capability: string, credits: number): Charge {
  return chargeOf('page', task, capability, credits);
}

/** What it costs to search the cache for a page that is not there, when that is all that may be done. */
export function missCharge(task: JobTask, capability: string, credits: number): Charge {
  return chargeOf('lockdown-miss', task, capability, credits);
}

function chargeOf(what: ChargeKind, { job, key }: JobTask, capability: string, credits: number): Charge {
  const { id, teamId, keyId } = job;
  return {
    teamId,
    key: `${what}:${id}:${key}`,
    keyId,
    capability,
    jobId: id,
    credits,
    tokens: 0,
    chargedAt: now(),
  };
}
