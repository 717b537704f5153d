import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { Balance } from '../store/operations/reservations.ts';
import type { Store } from '../store/store.ts';
import { type BillingPeriod, daysOf, periodAt } from './billing-periods.ts';
import type { Caller } from './keys.ts';

/** The account that is charged. */
export type Account = Pick<Caller, 'teamId' | 'keyId' | 'plan' | 'billingAnchor'>;

export interface CreditBalance {
  /** The plan's credits for one period; null is without a limit. */
  plan: number | null;
  /** Null is without a limit. Negative when running work cost more than was left. */
  remaining: number | null;
  period: BillingPeriod;
}

/** What a team may still spend in this billing period: its plan's credits, minus those charged or reserved. */
export async function creditBalance(store: Store, { teamId, plan, billingAnchor }: Account): Promise<CreditBalance> {
  const at = now();
  const period = periodAt(billingAnchor, at);
  if (plan.monthlyCredits === null) return { plan: null, remaining: null, period };
  const { used, reserved } = await store.usage.balance(teamId, daysOf(period), at);
  return { plan: plan.monthlyCredits, remaining: plan.monthlyCredits - used - reserved, period };
}

/**
 * Allows work whose price is known and is charged when it is done. Work running at the same time is not counted: a team
 * can exceed its limit by that much, and no more. Throws PAYMENT_REQUIRED.
 */
export async function requireCredits(store: Store, account: Account, credits: number): Promise<void> {
  if (account.plan.monthlyCredits === null) return;
  const at = now();
  const period = periodAt(account.billingAnchor, at);
  const balance = await store.usage.balance(account.teamId, daysOf(period), at);
  if (balance.used + balance.reserved + credits > account.plan.monthlyCredits) {
    throw paymentRequired(account, balance, credits, period);
  }
}

/**
 * Reserves credits for work whose price is known only at its end. `charge` with the same id settles the reservation and
 * `release` cancels it. It expires after `ms` milliseconds, whatever happened to the work. Nothing is reserved on a
 * plan without a limit. Throws PAYMENT_REQUIRED.
 */
export async function reserveCredits(
  store: Store,
  account: Account,
  { id, credits, ms }: { id: string; credits: number; ms: number },
): Promise<void> {
  const { teamId, plan, billingAnchor } = account;
  if (plan.monthlyCredits === null) return;
  const at = now();
  const period = periodAt(billingAnchor, at);
  const reservation = { teamId, id, credits, createdAt: at, expiresAt: at + ms };
  const { reserved, balance } = await store.usage.reserve(reservation, daysOf(period), plan.monthlyCredits);
  if (!reserved) throw paymentRequired(account, balance, credits, period);
}

/** The error for work that the team has too few credits for. */
export function paymentRequired(
  { plan }: Account,
  balance: Balance,
  credits: number,
  { end }: BillingPeriod,
): TrawlError {
  const total = plan.monthlyCredits ?? 0;
  const reserved = balance.reserved === 0 ? '' : ` and ${count(balance.reserved)} reserved for running work`;
  return new TrawlError(
    'PAYMENT_REQUIRED',
    `This costs ${count(credits)}. The plan "${plan.name}" has ${total} per billing period: ${balance.used} are used${reserved}. ` +
      `The next billing period begins on ${new Date(end).toISOString().slice(0, 10)}; the operator can change the plan with "trawl teams plan".`,
  );
}

function count(credits: number): string {
  return credits === 1 ? '1 credit' : `${credits} credits`;
}
