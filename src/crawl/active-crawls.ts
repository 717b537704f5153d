import type { Store } from '../store/store.ts';
import type { StoredCrawl } from './crawl-options.ts';

/** A crawl that runs. */
export interface ActiveCrawl {
  id: string;
  url: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** What was asked for. */
  asked: StoredCrawl['asked'];
}

/** A team has rarely more at the same time, and each can have written 10 MB. */
const MOST = 100;

/** The crawls of a team that run, the newest first, a hundred at most. */
export async function activeCrawls(store: Store, teamId: string): Promise<ActiveCrawl[]> {
  const jobs = await store.jobs.open(teamId, 'crawl', MOST);
  return jobs.map(({ id, createdAt, options }) => {
    const crawl: StoredCrawl = JSON.parse(options);
    return { id, createdAt, url: crawl.options.url, asked: crawl.asked };
  });
}
