import type { Discovered, PageContent } from '../content/page-content.ts';

/** What a scrape gives: the formats asked for under their names, and always the metadata. */
export interface ScrapedDocument extends Omit<PageContent, 'metadata' | 'discovered'> {
  rawHtml?: string;
  metadata: DocumentMetadata;
}

/** What scraping a page gives: the answer, and beside it what only a crawl reads. */
export interface ScrapedPage {
  document: ScrapedDocument;
  /** What the page itself has to say: a part of the warning in the document. */
  warning?: string;
  /** When `discover` was asked for. */
  discovered?: Discovered;
}

export interface ScrapeFacts {
  /** The address asked for, as it was written but with a scheme. */
  sourceURL: string;
  /** The address that answered, after redirects. */
  url: string;
  /** What the site answered; a page that answers 404 is still scraped. */
  statusCode: number;
  contentType: string;
  scrapeId: string;
  proxyUsed: 'basic' | 'enhanced';
  cacheState: 'hit' | 'miss';
  /** When the copy was stored; on a hit only. */
  cachedAt?: string;
  creditsUsed: number;
  /** The site's own complaint, when `statusCode` is 400 or more. */
  error?: string;
}

/** The page's own metadata, and what is known about this scrape of it. */
export interface DocumentMetadata extends ScrapeFacts {
  title?: string;
  description?: string;
  language?: string;
  [name: string]: string | string[] | number | undefined;
}

/**
 * Longer documents, in characters, are not kept in the cache but made again, in a thread of their own: to tell one of this
 * length of another scrape takes the thread that serves 3 ms.
 */
export const MOST_DOCUMENT = 500_000;
