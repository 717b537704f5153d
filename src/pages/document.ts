import type { ActionResults } from '../browser/actions/types.ts';
import type { Branding } from '../browser/branding/types.ts';
import type { MediaSources } from '../content/media/media-source.ts';
import type { Discovered, PageContent } from '../content/page-content.ts';
import type { ShellReport } from '../content/shell.ts';

/** The result of a scrape: the requested formats under their names, and always the metadata. */
export interface ScrapedDocument extends Omit<PageContent, 'metadata' | 'discovered' | 'shell'> {
  rawHtml?: string;
  /** Address of the picture. */
  screenshot?: string;
  actions?: DocumentActions;
  branding?: Branding;
  /** Addresses of the main recordings; null if there is none that can be downloaded. */
  audio?: string | null;
  video?: string | null;
  /** What the page played in a browser. No answer of the API shows it. */
  played?: MediaSources;
  metadata: DocumentMetadata;
}

/** A document, and beside it what only a crawl reads. */
export interface ScrapedPage {
  document: ScrapedDocument;
  /** The part of the document's warning that is about the page itself. */
  warning?: string;
  /** Of a page in HTML. */
  shell?: ShellReport;
  /** Present if the request has `discover`. */
  discovered?: Discovered;
}

/** What the actions gave. Screenshots and PDFs are addresses. */
export interface DocumentActions extends Pick<ActionResults, 'scrapes' | 'javascriptReturns'> {
  screenshots: string[];
  pdfs: string[];
}

export interface ScrapeFacts {
  /** The requested address as the caller wrote it, with a scheme added if it had none. */
  sourceURL: string;
  /** The address that answered, after redirects. */
  url: string;
  /** The site's status code. A page that answers 404 is still scraped. */
  statusCode: number;
  contentType: string;
  scrapeId: string;
  proxyUsed: 'basic' | 'enhanced';
  /** What was tried to get the page, each with its status and time. Only if it took more than one step. */
  steps?: string[];
  cacheState: 'hit' | 'miss';
  /** When the copy was stored. Only on a cache hit. */
  cachedAt?: string;
  creditsUsed: number;
  /** The reason phrase of `statusCode`, if it is 400 or more. */
  error?: string;
}

/** The page's own metadata, and facts about this scrape of it. */
export interface DocumentMetadata extends ScrapeFacts {
  title?: string;
  description?: string;
  language?: string;
  [name: string]: string | string[] | number | undefined;
}

/**
 * In characters. Longer documents are not cached but made again, in a thread of their own: replacing the facts about the scrape
 * in a document of this length takes the main thread 3 ms.
 */
export const MAX_DOCUMENT_LENGTH = 500_000;
