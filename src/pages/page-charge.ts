import { now } from '../clock.ts';
import type { JobTask } from '../jobs/task.ts';
import type { Charge, ChargeKind } from '../store/operations/charges.ts';
import { type Cost, chargedCosts, costOf, type Prices } from '../team/prices.ts';

/** What a page costs that was delivered. The page is in the key: however often it is worked on, it is charged once. */
export function pageCharge(task: JobTask, capability: string, costs: readonly Cost[]): Charge {
  return chargeOf('page', task, capability, costs);
}

/** What it costs to search the cache for a page that is not there, when that is all that may be done. */
export function missCharge(task: JobTask, capability: string, prices: Prices): Charge {
  return chargeOf('lockdown-miss', task, capability, [costOf(prices, 'search of the cache')]);
}

function chargeOf(what: ChargeKind, { job, key }: JobTask, capability: string, costs: readonly Cost[]): Charge {
  const { id, teamId, keyId } = job;
  return {
    teamId,
    key: `${what}:${id}:${key}`,
    keyId,
    capability,
    jobId: id,
    ...chargedCosts(costs),
    tokens: 0,
    chargedAt: now(),
  };
}
