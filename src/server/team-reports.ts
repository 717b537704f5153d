import { type QueueSources, queueStatus } from '../team/queue-status.ts';
import { usageHistory } from '../team/usage-history.ts';
import { callerOf } from './authentication.ts';
import { failures } from './documentation.ts';
import * as team from './team-answers.ts';
import type { App } from './types.ts';

/** The reports on a team that both API versions give in the same words. */
export function teamReports(
  app: App,
  version: 'v1' | 'v2',
  schema: { tags: string[]; security: Record<string, string[]>[] },
  sources: QueueSources,
): void {
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
