import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isoTime } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { BillingPeriod } from '../team/billing-periods.ts';
import type { CreditBalance } from '../team/credits.ts';
import { TOKENS_PER_CREDIT } from '../team/prices.ts';
import type { QueueStatus } from '../team/queue-status.ts';
import type { PeriodUsage } from '../team/usage-history.ts';
import { handleError, toTrawlError } from './shape-error.ts';

/** What both API versions say of a team. */

/** The groups of all these routes. */
export const READS = { endpointGroup: 'team', rateGroup: 'status' } as const;

/**
 * What is answered for "without a limit": the fields are numbers by the contract, and clients take null for 0 or do not
 * take it. It fits into the 32-bit integers that some of them read into, and nobody mistakes it for a real limit.
 */
export const WITHOUT_LIMIT = 999_999_999;

export const moment = z.string().meta({ format: 'date-time' });
const success = z.literal(true);

/** `?byApiKey=`: what clients in several languages write for a boolean, and nothing else. */
export const historyQuery = z.object({
  byApiKey: z
    .enum(['true', 'false', '1', '0'], 'must be true, false, 1 or 0')
    .default('false')
    .transform((text) => text === 'true' || text === '1')
    .describe('Tell the usage of each API key apart'),
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

/** Of a balance, what is left and what the plan gives, in credits or in the tokens they are worth, and the period. */
export function toBalance({ plan, remaining, period }: CreditBalance, unit: 'credits' | 'tokens') {
  const worth = unit === 'tokens' ? TOKENS_PER_CREDIT : 1;
  return {
    remaining: remaining === null ? WITHOUT_LIMIT : remaining * worth,
    plan: plan === null ? WITHOUT_LIMIT : plan * worth,
    ...toPeriodBounds(period),
  };
}

function toPeriodBounds({ start, end }: BillingPeriod) {
  return { start: isoTime(start), end: isoTime(end) };
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

/**
 * The error handler of a report: whatever fails on our side, the store too, is a 500 that names the report, by section
 * 4.1 of the specification. Everywhere else a store that is away is a 503.
 */
export function failsAs(report: string) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toTrawlError(thrown);
    if (error.status < 500) return handleError(error, request, reply);
    const message = `An internal failure while fetching the ${report}. Try again later; the log has the cause under this request id.`;
    return handleError(new TrawlError('INTERNAL_ERROR', message, { cause: thrown }), request, reply);
  };
}
