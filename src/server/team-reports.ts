import { z } from 'zod';
import { creditBalance } from '../team/credits.ts';
import { type QueueSources, queueStatus } from '../team/queue-status.ts';
import { usageHistory } from '../team/usage-history.ts';
import { callerOf } from './authentication.ts';
import { bearer, failures } from './documentation.ts';
import * as team from './team-answers.ts';
import type { App } from './types.ts';

/** What the parts of a balance are called. */
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

/** The reports on a team that both API versions give: all but the balances in the same words. */
export function teamReports(app: App, version: 'v1' | 'v2', sources: QueueSources): void {
  const schema = { tags: [version === 'v1' ? 'v1' : 'team'], security: bearer };
  for (const [unit, path, summary] of [
    ['credits', 'credit-usage', 'Credits that are left'],
    ['tokens', 'token-usage', 'Tokens that are left for Extract'],
  ] as const) {
    const { [unit]: names, period } = BALANCE_NAMES[version];
    const data = z.object({
      [names.remaining]: z.number(),
      [names.plan]: z.number(),
      [period.start]: team.moment,
      [period.end]: team.moment,
    });
    app.get(
      `/${version}/team/${path}`,
      {
        config: team.READS,
        errorHandler: team.failsAs(path.replace('-', ' ')),
        schema: { ...schema, summary, response: { 200: z.object({ success: z.literal(true), data }), ...failures } },
      },
      async (request) => {
        const balance = team.toBalance(await creditBalance(sources.store, callerOf(request)), unit);
        return {
          success: true as const,
          data: {
            [names.remaining]: balance.remaining,
            [names.plan]: balance.plan,
            [period.start]: balance.start,
            [period.end]: balance.end,
          },
        };
      },
    );
  }

  app.get(
    `/${version}/team/credit-usage/historical`,
    {
      config: team.READS,
      errorHandler: team.failsAs('historical credit usage'),
      schema: {
        ...schema,
        summary: 'Credits used, month by month',
        querystring: team.historyQuery,
        response: { 200: team.creditHistoryAnswer, ...failures },
      },
    },
    async (request) =>
      team.toCreditHistory(await usageHistory(sources.store, callerOf(request), request.query.byApiKey)),
  );

  app.get(
    `/${version}/team/token-usage/historical`,
    {
      config: team.READS,
      errorHandler: team.failsAs('historical token usage'),
      schema: {
        ...schema,
        summary: 'Tokens used by Extract, month by month',
        querystring: team.historyQuery,
        response: { 200: team.tokenHistoryAnswer, ...failures },
      },
    },
    async (request) =>
      team.toTokenHistory(await usageHistory(sources.store, callerOf(request), request.query.byApiKey)),
  );

  app.get(
    `/${version}/team/queue-status`,
    {
      config: team.READS,
      schema: { ...schema, summary: 'What runs now', response: { 200: team.queueStatusAnswer, ...failures } },
    },
    async (request) => team.toQueueStatus(await queueStatus(sources, callerOf(request))),
  );
}
