import { z } from 'zod';
import { isoTime } from '../../clock.ts';
import { ACTIVITY_ENDPOINTS, type activityPage } from '../../team/activity.ts';
import { moment, WITHOUT_LIMIT } from '../team.ts';

export const activityQuery = z.object({
  endpoint: z.enum(ACTIVITY_ENDPOINTS).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.uuid('must be the cursor of an earlier answer').optional(),
});

export const activityAnswer = z.object({
  success: z.literal(true),
  data: z.array(
    z.object({
      id: z.string(),
      endpoint: z.string(),
      api_version: z.string(),
      created_at: moment,
      target: z.string().nullable(),
    }),
  ),
  cursor: z.string().nullable(),
  has_more: z.boolean(),
});

export const concurrencyAnswer = z.object({ success: z.literal(true), concurrency: z.int(), maxConcurrency: z.int() });

export function toConcurrency(active: number, limit: number | null): z.infer<typeof concurrencyAnswer> {
  return { success: true, concurrency: active, maxConcurrency: limit ?? WITHOUT_LIMIT };
}

type Calls = Awaited<ReturnType<typeof activityPage>>['calls'];

/** @param next the cursor of the following calls; null at the end */
export function toActivity(calls: Calls, next: string | null): z.infer<typeof activityAnswer> {
  const data = calls.map(({ id, endpoint, apiVersion, createdAt, target }) => ({
    id,
    endpoint,
    api_version: apiVersion,
    created_at: isoTime(createdAt),
    target,
  }));
  return { success: true, data, cursor: next, has_more: next !== null };
}
