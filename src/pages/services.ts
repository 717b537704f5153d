import type { SiteFetcher } from '../site/site-fetcher.ts';
import type { Store } from '../store/store.ts';
import type { Prices } from '../team/prices.ts';
import type { RunningWork } from '../team/running.ts';
import type { PageCounts } from './page-counts.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';
import type { ArtifactStore, PageStages } from './stages.ts';

/** The services a scrape uses. */
export interface ScrapeServices {
  fetcher: SiteFetcher;
  store: Store;
  read: MakeDocument;
  stages: PageStages;
  /** Undefined if no stage makes artifacts. */
  artifacts?: ArtifactStore | undefined;
  /** The prices in force. */
  prices: () => Promise<Prices>;
  running: RunningWork;
  /** Called with a failure that does not change the answer. */
  onError: (error: unknown, what: string) => void;
  /** How long a result can be retrieved by its id, in milliseconds. */
  resultMs: number;
  counts: PageCounts;
}
