/** Counts the outcomes of pages, for the operator's metrics. */
export interface PageCounts {
  /** A page of a scrape, or of a job of this kind, was finished. */
  page(kind: string, result: string): void;
  /** A page was looked up in the cache. */
  cache(result: 'hit' | 'miss'): void;
}
