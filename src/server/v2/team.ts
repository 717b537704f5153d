import { z } from 'zod';
import { isoTime } from '../../clock.ts';
import { ACTIVITY_ENDPOINTS, activityPage } from '../../team/activity.ts';
import { concurrency, type QueueSources } from '../../team/queue-status.ts';
import { callerOf } from '../authentication.ts';
import { bearer, failures } from '../documentation.ts';
import * as team from '../team-answers.ts';
import { teamReports } from '../team-reports.ts';
import type { App } from '../types.ts';

const activityQuery = z.object({
  endpoint: z.enum(ACTIVITY_ENDPOINTS).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.uuid('must be the cursor of an earlier answer').optional(),
});

const activityAnswer = z.object({
  success: z.literal(true),
  data: z.array(
    z.object({
      id: z.string(),
      endpoint: z.string(),
      api_version: z.string(),
      created_at: team.moment,
      target: z.string().nullable(),
    }),
  ),
  cursor: z.string().nullable(),
  has_more: z.boolean(),
});

const concurrencyAnswer = z.object({ success: z.literal(true), concurrency: z.int(), maxConcurrency: z.int() });

/** What a team has used, what it has left, and what it does. */
export function v2Team(app: App, sources: QueueSources): void {
  const { store } = sources;
  const schema = { tags: ['team'], security: bearer };

  teamReports(app, 'v2', sources);

  app.get(
    '/v2/concurrency-check',
    {
      config: team.READS,
      schema: {
        ...schema,
        summary: 'How much runs now, and may run',
        response: { 200: concurrencyAnswer, ...failures },
      },
    },
    async (request) => {
      const { active, maxConcurrency } = await concurrency(sources, callerOf(request));
      return {
        success: true as const,
        concurrency: active,
        maxConcurrency: maxConcurrency ?? team.WITHOUT_LIMIT,
      };
    },
  );

  app.get(
    '/v2/team/activity',
    {
      config: team.READS,
      schema: {
        ...schema,
        summary: 'What was called, the newest first',
        querystring: activityQuery,
        response: { 200: activityAnswer, ...failures },
      },
    },
    async (request) => {
      const { endpoint = null, cursor = null, limit } = request.query;
      const { teamId } = callerOf(request);
      const { calls, next } = await activityPage(store, teamId, { endpoint, before: cursor, limit });
      return {
        success: true as const,
        data: calls.map(({ id, apiVersion, createdAt, target, ...call }) => ({
          id,
          endpoint: call.endpoint,
          api_version: apiVersion,
          created_at: isoTime(createdAt),
          target,
        })),
        cursor: next,
        has_more: next !== null,
      };
    },
  );
}
