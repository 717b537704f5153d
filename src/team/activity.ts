import type { ListedActivity } from '../store/operations/activity.ts';
import type { Store } from '../store/store.ts';

/** The operations that the activity log distinguishes, by their names in the API. */
export const ACTIVITY_ENDPOINTS = [
  'scrape',
  'crawl',
  'batch_scrape',
  'search',
  'extract',
  'llmstxt',
  'deep_research',
  'map',
  'agent',
  'browser',
  'interact',
] as const;
export type ActivityEndpoint = (typeof ACTIVITY_ENDPOINTS)[number];

export interface ActivityPage {
  calls: ListedActivity[];
  /** The id for the next page; null at the end. */
  next: string | null;
}

/** A page of a team's activity log, newest first: calls older than the one with the id `before`. */
export async function activityPage(
  store: Store,
  teamId: string,
  { endpoint, before, limit }: { endpoint: ActivityEndpoint | null; before: string | null; limit: number },
): Promise<ActivityPage> {
  // One more than requested shows whether there is a next page.
  const calls = await store.activity.list({ teamId, endpoint, before, limit: limit + 1 });
  const page = calls.slice(0, limit);
  return { calls: page, next: (calls.length > limit && page.at(-1)?.id) || null };
}
