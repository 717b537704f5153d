import { STATUS_CODES } from 'node:http';
import { isoTime } from '../clock.ts';
import type { FetchedPage } from '../fetch/types.ts';
import { withScheme } from '../site/target.ts';
import type { ScrapeFacts } from './document.ts';
import type { ScrapeRequest } from './request.ts';
import { optionWarnings, warningField } from './warnings.ts';

/** Where a page came from. */
export interface PageSource {
  page: Omit<FetchedPage, 'body'>;
  /** When the copy was stored, in milliseconds since the epoch. Undefined for a page from the web. */
  storedAt: number | undefined;
  /** What was tried to get the page, if it took more than one step. */
  steps?: readonly string[] | undefined;
  /** The warning of the threat policy. */
  policyWarning: string | undefined;
  /** The page came from a browser, or why the browser that should have shown it did not. */
  rendering?: 'rendered' | { warning: string };
}

/** What the answer says about the scrape itself. */
export interface ScrapeInfo {
  id: string;
  credits: number;
}

/** The metadata that describe the scrape and not the page. They are made for each scrape anew, also for a cached document. */
export function factsOf(
  { page, storedAt, steps }: PageSource,
  request: ScrapeRequest,
  scrape: ScrapeInfo,
): ScrapeFacts {
  return {
    sourceURL: withScheme(request.url),
    url: page.url,
    statusCode: page.status,
    contentType: page.contentType,
    scrapeId: scrape.id,
    proxyUsed: page.proxyUsed,
    cacheState: storedAt === undefined ? 'miss' : 'hit',
    creditsUsed: scrape.credits,
    ...(steps !== undefined && { steps: [...steps] }),
    ...(storedAt !== undefined && { cachedAt: isoTime(storedAt) }),
    ...(page.status >= 400 && { error: STATUS_CODES[page.status] ?? `Status ${page.status}` }),
  };
}

/** The `warning` of a document: about the page, its transfer and the request. */
export function warningsOf(
  { page, policyWarning }: PageSource,
  request: ScrapeRequest,
  ofPage: string | undefined,
): { warning?: string } {
  const cut = page.incomplete ? 'The connection closed before the page was complete: its end is missing.' : undefined;
  const proxy = request.proxy === 'enhanced' && page.proxyUsed === 'basic' ? NO_ENHANCED_PROXY : undefined;
  return warningField([cut, page.warning, ofPage, policyWarning, proxy, ...optionWarnings(request)]);
}

const NO_ENHANCED_PROXY =
  '"proxy": "enhanced" has no effect: the operator has set up no second proxy (TRAWL_PROXY_ENHANCED).';
