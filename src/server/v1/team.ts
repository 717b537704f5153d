import { z } from 'zod';
import { creditBalance } from '../../team/credits.ts';
import type { QueueSources } from '../../team/queue-status.ts';
import { callerOf } from '../authentication.ts';
import { bearer, failures } from '../documentation.ts';
import * as team from '../team-answers.ts';
import { teamReports } from '../team-reports.ts';
import type { App } from '../types.ts';

const period = { billing_period_start: team.moment, billing_period_end: team.moment };

const creditUsage = z.object({
  success: z.literal(true),
  data: z.object({ remaining_credits: z.number(), plan_credits: z.number(), ...period }),
});

const tokenUsage = z.object({
  success: z.literal(true),
  data: z.object({ remaining_tokens: z.number(), plan_tokens: z.number(), ...period }),
});

/** What a team has used and what it has left, in the names of version 1. */
export function v1Team(app: App, sources: QueueSources): void {
  const { store } = sources;
  const schema = { tags: ['v1'], security: bearer };

  app.get(
    '/v1/team/credit-usage',
    {
      config: team.READS,
      errorHandler: team.failsAs('credit usage'),
      schema: { ...schema, summary: 'Credits that are left', response: { 200: creditUsage, ...failures } },
    },
    async (request) => {
      const { remaining, plan, start, end } = team.toBalance(await creditBalance(store, callerOf(request)), 'credits');
      return {
        success: true as const,
        data: {
          remaining_credits: remaining,
          plan_credits: plan,
          billing_period_start: start,
          billing_period_end: end,
        },
      };
    },
  );

  app.get(
    '/v1/team/token-usage',
    {
      config: team.READS,
      errorHandler: team.failsAs('token usage'),
      schema: { ...schema, summary: 'Tokens that are left for Extract', response: { 200: tokenUsage, ...failures } },
    },
    async (request) => {
      const { remaining, plan, start, end } = team.toBalance(await creditBalance(store, callerOf(request)), 'tokens');
      return {
        success: true as const,
        data: { remaining_tokens: remaining, plan_tokens: plan, billing_period_start: start, billing_period_end: end },
      };
    },
  );

  teamReports(app, 'v1', schema, sources);
}
