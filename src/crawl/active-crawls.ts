import { fitting } from '../jobs/fitting.ts';
import type { Store } from '../store/store.ts';
import type { CrawlSummary } from './crawl-summary.ts';

/** A running crawl. */
export interface ActiveCrawl extends CrawlSummary {
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export interface ActiveCrawls {
  crawls: ActiveCrawl[];
  /** The `skip` for those that follow; null at the end. */
  next: number | null;
}

/** The response has the list twice. */
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * The running crawls of a team, newest first: after the first `skip`, at most `limit`, as many as fit into a response.
 */
export async function activeCrawls(
  store: Store,
  teamId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<ActiveCrawls> {
  // One more than requested shows whether there are others.
  const jobs = await store.jobs.open(teamId, 'crawl', { skip, limit: limit + 1 });
  const fit = fitting(jobs.slice(0, limit), ({ summary }) => summary.length, MAX_BYTES);
  const crawls = fit.map(({ id, createdAt, summary }) => {
    const { url, asked }: CrawlSummary = JSON.parse(summary);
    return { id, createdAt, url, asked };
  });
  return { crawls, next: crawls.length < jobs.length ? skip + crawls.length : null };
}
