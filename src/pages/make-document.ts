import { STATUS_CODES } from 'node:http';
import { isoTime } from '../clock.ts';
import type { Discovered } from '../content/page-content.ts';
import { utf8Text } from '../fetch/body/utf8.ts';
import { withScheme } from '../site/target.ts';
import type { ScrapedDocument, ScrapedPage } from './document.ts';
import type { ObtainedPage } from './obtain-page.ts';
import { readDocument, unsupportedFile } from './read-document.ts';
import type { ScrapeRequest } from './request.ts';
import { robotsTag } from './robots-tag.ts';
import { optionWarnings, warningField } from './warnings.ts';

/** What the answer tells of the scrape, beside the page. */
export interface ScrapeTold {
  id: string;
  credits: number;
}

/** All that a document is made of. Plain data: it can cross to a worker thread. */
export interface DocumentParts {
  obtained: ObtainedPage;
  request: ScrapeRequest;
  told: ScrapeTold;
}

/**
 * Reads a page and makes the document of it. All that takes time in proportion to the page, or worse, is here.
 * @throws TrawlError BAD_REQUEST when a selector is not valid or takes too much work on this page, and
 *   SCRAPE_UNSUPPORTED_FILE_ERROR when it is no text
 */
export function makeDocument({ obtained, request, told }: DocumentParts): ScrapedPage {
  const { page, storedAt, policyWarning } = obtained;
  if (!page.isText) throw unsupportedFile(page.contentType);
  const { body, url, contentType, headers } = page;
  const content = readDocument({ body, url, contentType, contentLanguage: headers['content-language'] }, request);

  const { metadata, discovered, ...formats } = content;
  const document: ScrapedDocument = {
    ...formats,
    metadata: {
      ...metadata,
      sourceURL: withScheme(request.url),
      url,
      statusCode: page.status,
      contentType,
      scrapeId: told.id,
      proxyUsed: page.proxyUsed,
      cacheState: storedAt === undefined ? 'miss' : 'hit',
      creditsUsed: told.credits,
    },
  };
  if (storedAt !== undefined) document.metadata.cachedAt = isoTime(storedAt);
  if (page.status >= 400) document.metadata.error = STATUS_CODES[page.status] ?? `Status ${page.status}`;
  if (request.formats.includes('rawHtml')) document.rawHtml = utf8Text(body);
  const cutWarning = page.incomplete ? 'The connection ended before the page did: its end is missing.' : undefined;
  const proxyWarning = request.proxy === 'enhanced' && page.proxyUsed === 'basic' ? NO_ENHANCED_PROXY : undefined;
  const warnings = [cutWarning, content.warning, policyWarning, proxyWarning, ...optionWarnings(request)];
  Object.assign(document, warningField(warnings));
  return discovered === undefined
    ? { document }
    : { document, discovered: withHeader(discovered, page.headers, request) };
}

const NO_ENHANCED_PROXY =
  '"proxy": "enhanced" has no effect: the operator has set up no second proxy (TRAWL_PROXY_ENHANCED).';

/** What the page says of itself it can also say before it begins. */
function withHeader(
  discovered: Discovered,
  headers: Readonly<Record<string, string>>,
  { discover }: ScrapeRequest,
): Discovered {
  if (discover === undefined) return discovered;
  const tag = robotsTag(headers['x-robots-tag'], discover.agent);
  return { ...discovered, noindex: discovered.noindex || tag.noindex, nofollow: discovered.nofollow || tag.nofollow };
}
