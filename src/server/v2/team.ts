import { bearer, failures } from '../../contract/documentation.ts';
import { activityAnswer, activityQuery, concurrencyAnswer, toActivity, toConcurrency } from '../../contract/v2/team.ts';
import { activityPage } from '../../team/activity.ts';
import { concurrency, type QueueSources } from '../../team/queue-status.ts';
import { callerOf } from '../authentication.ts';
import { READS, teamReports } from '../team-reports.ts';
import type { App } from '../types.ts';

/** Usage, balance and activity of a team. */
export function v2Team(app: App, sources: QueueSources): void {
  const { store } = sources;
  const schema = { tags: ['team'], security: bearer };

  teamReports(app, 'v2', sources);

  app.get(
    '/v2/concurrency-check',
    {
      config: READS,
      schema: {
        ...schema,
        summary: 'Current and maximum concurrency',
        response: { 200: concurrencyAnswer, ...failures },
      },
    },
    async (request) => {
      const { active, maxConcurrency } = await concurrency(sources, callerOf(request));
      return toConcurrency(active, maxConcurrency);
    },
  );

  app.get(
    '/v2/team/activity',
    {
      config: READS,
      schema: {
        ...schema,
        summary: 'List of API calls, newest first',
        querystring: activityQuery,
        response: { 200: activityAnswer, ...failures },
      },
    },
    async (request) => {
      const { endpoint = null, cursor = null, limit } = request.query;
      const { teamId } = callerOf(request);
      const { calls, next } = await activityPage(store, teamId, { endpoint, before: cursor, limit });
      return toActivity(calls, next);
    },
  );
}
