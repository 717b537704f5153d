import { z } from 'zod';
import { isoTime } from '../clock.ts';
import type { CreditBalance } from '../team/credits.ts';
import { TOKENS_PER_CREDIT } from '../team/prices.ts';
import type { QueueStatus } from '../team/queue-status.ts';
import type { PeriodUsage } from '../team/usage-history.ts';

/** The responses about a team that both API versions share. */

/**
 * The value for "unlimited". The contract says these fields are numbers, and clients read null as 0 or fail on it. It
 * fits into the 32-bit integers that some of them use, and cannot be mistaken for a real limit.
 */
export const WITHOUT_LIMIT = 999_999_999;

export const moment = z.string().meta({ format: 'date-time' });
const success = z.literal(true);

/** `?byApiKey=` accepts what clients in several languages write for a boolean, and nothing else. */
export const historyQuery = z.object({
  byApiKey: z
    .enum(['true', 'false', '1', '0'], 'must be true, false, 1 or 0')
    .default('false')
    .transform((text) => text === 'true' || text === '1')
    .describe('Report the usage of each API key separately'),
});

const period = {
  startDate: moment.describe('Start of the billing period'),
  endDate: moment.describe('End of the billing period, which is the start of the next'),
  apiKey: z.string().nullable().describe('Name of the API key; null unless "byApiKey" is true'),
};

export const tokenHistoryAnswer = z.object({
  success,
  periods: z.array(z.object({ ...period, totalTokens: z.int() })),
});

export const creditHistoryAnswer = z.object({
  success,
  periods: z.array(z.object({ ...period, totalCredits: z.int() })),
});

export function toTokenHistory(usage: readonly PeriodUsage[]): z.infer<typeof tokenHistoryAnswer> {
  return { success: true, periods: usage.map((one) => ({ ...toPeriod(one), totalTokens: one.tokens })) };
}

export function toCreditHistory(usage: readonly PeriodUsage[]): z.infer<typeof creditHistoryAnswer> {
  return { success: true, periods: usage.map((one) => ({ ...toPeriod(one), totalCredits: one.credits })) };
}

function toPeriod({ start, end, apiKey }: PeriodUsage) {
  return { startDate: isoTime(start), endDate: isoTime(end), apiKey };
}

/** The field names of a balance. */
const BALANCE_NAMES = {
  v1: {
    credits: { remaining: 'remaining_credits', plan: 'plan_credits' },
    tokens: { remaining: 'remaining_tokens', plan: 'plan_tokens' },
    period: { start: 'billing_period_start', end: 'billing_period_end' },
  },
  v2: {
    credits: { remaining: 'remainingCredits', plan: 'planCredits' },
    tokens: { remaining: 'remainingTokens', plan: 'planTokens' },
    period: { start: 'billingPeriodStart', end: 'billingPeriodEnd' },
  },
} as const;

type Version = keyof typeof BALANCE_NAMES;
type Unit = 'credits' | 'tokens';

/** The rest of the plan, in credits or in the tokens they are worth, and the billing period. */
export function balanceAnswer(version: Version, unit: Unit) {
  const { [unit]: names, period } = BALANCE_NAMES[version];
  const data = z.object({
    [names.remaining]: z.number(),
    [names.plan]: z.number(),
    [period.start]: moment,
    [period.end]: moment,
  });
  return z.object({ success, data });
}

export function toBalance(
  version: Version,
  unit: Unit,
  { plan, remaining, period: { start, end } }: CreditBalance,
): z.infer<ReturnType<typeof balanceAnswer>> {
  const { [unit]: names, period } = BALANCE_NAMES[version];
  const worth = unit === 'tokens' ? TOKENS_PER_CREDIT : 1;
  return {
    success: true,
    data: {
      [names.remaining]: remaining === null ? WITHOUT_LIMIT : remaining * worth,
      [names.plan]: plan === null ? WITHOUT_LIMIT : plan * worth,
      [period.start]: isoTime(start),
      [period.end]: isoTime(end),
    },
  };
}

export const queueStatusAnswer = z.object({
  success,
  jobsInQueue: z.int(),
  activeJobsInQueue: z.int(),
  waitingJobsInQueue: z.int(),
  maxConcurrency: z.int(),
  mostRecentSuccess: moment.nullable(),
});

export function toQueueStatus(status: QueueStatus): z.infer<typeof queueStatusAnswer> {
  const { active, waiting, maxConcurrency, mostRecentSuccess } = status;
  return {
    success: true,
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: maxConcurrency ?? WITHOUT_LIMIT,
    mostRecentSuccess: mostRecentSuccess === null ? null : isoTime(mostRecentSuccess),
  };
}
