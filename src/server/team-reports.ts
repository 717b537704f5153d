import { bearer, failures } from '../contract/documentation.ts';
import * as team from '../contract/team.ts';
import { creditBalance } from '../team/credits.ts';
import { type QueueSources, queueStatus } from '../team/queue-status.ts';
import { usageHistory } from '../team/usage-history.ts';
import { callerOf } from './authentication.ts';
import { failsAs } from './fails-as.ts';
import type { App } from './types.ts';

/** The groups of all routes that only read the state of a team. */
export const READS = { endpointGroup: 'team', rateGroup: 'status' } as const;

/** The reports on a team. Both API versions have them; only the balances differ. */
export function teamReports(app: App, version: 'v1' | 'v2', sources: QueueSources): void {
  const schema = { tags: [version === 'v1' ? 'v1' : 'team'], security: bearer };
  for (const [unit, path, summary] of [
    ['credits', 'credit-usage', 'Remaining credits'],
    ['tokens', 'token-usage', 'Remaining tokens for Extract'],
  ] as const) {
    app.get(
      `/${version}/team/${path}`,
      {
        config: READS,
        errorHandler: failsAs(path.replace('-', ' ')),
        schema: { ...schema, summary, response: { 200: team.balanceAnswer(version, unit), ...failures } },
      },
      async (request) => team.toBalance(version, unit, await creditBalance(sources.store, callerOf(request))),
    );
  }

  app.get(
    `/${version}/team/credit-usage/historical`,
    {
      config: READS,
      errorHandler: failsAs('historical credit usage'),
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
      config: READS,
      errorHandler: failsAs('historical token usage'),
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
      config: READS,
      schema: {
        ...schema,
        summary: 'Jobs that are running and waiting',
        response: { 200: team.queueStatusAnswer, ...failures },
      },
    },
    async (request) => team.toQueueStatus(await queueStatus(sources, callerOf(request))),
  );
}
