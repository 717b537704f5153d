import { now } from '../clock.ts';
import { DAY_MS } from '../store/operations/charges.ts';
import type { Store } from '../store/store.ts';
import { type BillingPeriod, daysOf, periodsBetween } from './billing-periods.ts';
import type { Account } from './credits.ts';

/** The usage of one billing period, of all keys or of those with one name. */
export interface PeriodUsage extends BillingPeriod {
  credits: number;
  tokens: number;
  /** Name of the key; null when keys are not reported separately, and for calls without one. */
  apiKey: string | null;
}

/**
 * The usage of a team, by billing period, from the period in which the team began to the current one, oldest first. A
 * period without usage counts 0. By API key, each period has an entry for every key name that the team has or had,
 * oldest key first; keys with the same name count together.
 */
export async function usageHistory(
  store: Store,
  { teamId, billingAnchor }: Pick<Account, 'teamId' | 'billingAnchor'>,
  byApiKey: boolean,
): Promise<PeriodUsage[]> {
  const start = await store.usage.start(teamId);
  if (start === null) return [];
  const began = Math.min(start.createdAt, (start.firstDay ?? Number.POSITIVE_INFINITY) * DAY_MS);
  const periods = periodsBetween(billingAnchor, began, now());
  const [sums, keys] = await Promise.all([
    store.usage.sums(teamId, periods.map(daysOf)),
    byApiKey ? store.keys.list(teamId) : [],
  ]);

  const nameOf = new Map(keys.map(({ id, name }) => [id, name]));
  const names: (string | null)[] = [...new Set(nameOf.values())];
  // Also the only entry when keys are not reported separately.
  if (!byApiKey || sums.some(({ keyId }) => keyId === null)) names.push(null);
  const usage = periods.map(
    (period) => new Map(names.map((apiKey) => [apiKey, { ...period, credits: 0, tokens: 0, apiKey }])),
  );
  for (const { span, keyId, credits, tokens } of sums) {
    const entry = usage[span]?.get((byApiKey && keyId !== null && nameOf.get(keyId)) || null);
    if (entry === undefined) throw new Error(`Usage of the key ${keyId}, which the team does not have`);
    entry.credits += credits;
    entry.tokens += tokens;
  }
  return usage.flatMap((period) => [...period.values()]);
}
