/** Told what becomes of pages, for the operator's metrics. */
export interface PageCounts {
  /** A page was worked on, of a scrape or of a job of this kind. */
  page(kind: string, result: string): void;
  /** The cache was asked for a page. */
  cache(result: 'hit' | 'miss'): void;
}
