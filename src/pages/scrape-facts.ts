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
  /** When the copy that it is was stored, in milliseconds since the epoch; of a page from the web undefined. */
  storedAt: number | undefined;
  /** What the threat policy has to say. */
  policyWarning: string | undefined;
}

/** What the answer tells of the scrape, beside the page. */
export interface ScrapeTold {
  id: string;
  credits: number;
}

/** What the metadata of a document tell of the scrape, and not of the page: of each scrape anew. */
export function factsOf({ page, storedAt }: PageSource, request: ScrapeRequest, told: ScrapeTold): ScrapeFacts {
  return {
    sourceURL: withScheme(request.url),
    url: page.url,
    statusCode: page.status,
    contentType: page.contentType,
    scrapeId: told.id,
    proxyUsed: page.proxyUsed,
    cacheState: storedAt === undefined ? 'miss' : 'hit',
    creditsUsed: told.credits,
    ...(storedAt !== undefined && { cachedAt: isoTime(storedAt) }),
    ...(page.status >= 400 && { error: STATUS_CODES[page.status] ?? `Status ${page.status}` }),
  };
}

/** The `warning` of a document: of the page, of how it came, and of the request. */
export function warningsOf(
  { page, policyWarning }: PageSource,
  request: ScrapeRequest,
  ofPage: string | undefined,
): { warning?: string } {
  const cut = page.incomplete ? 'The connection ended before the page did: its end is missing.' : undefined;
  const proxy = request.proxy === 'enhanced' && page.proxyUsed === 'basic' ? NO_ENHANCED_PROXY : undefined;
  return warningField([cut, ofPage, policyWarning, proxy, ...optionWarnings(request)]);
}

const NO_ENHANCED_PROXY =
  '"proxy": "enhanced" has no effect: the operator has set up no second proxy (TRAWL_PROXY_ENHANCED).';
