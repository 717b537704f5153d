import { now } from '../clock.ts';
import type { JobTask } from '../jobs/task.ts';
import type { Charge, ChargeKind } from '../store/operations/charges.ts';
import { type Cost, chargedCosts, costOf, type Prices } from '../team/prices.ts';

/** The charge for a delivered page. The key names the page, so it is charged once, however often it is retried. */
export function pageCharge(task: JobTask, capability: string, costs: readonly Cost[]): Charge {
  return chargeOf('page', task, capability, costs);
}

/** The charge for a cache lookup that found nothing, when the request allowed no more than the lookup. */
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
