import type { Discovered } from '../content/page-content.ts';
import { utf8Text } from '../fetch/body/utf8.ts';
import type { ScrapedPage } from './document.ts';
import type { ObtainedPage } from './obtain-page.ts';
import { readDocument, unsupportedFile } from './read-document.ts';
import type { ScrapeRequest } from './request.ts';
import { robotsTag } from './robots-tag.ts';
import { factsOf, type ScrapeInfo, warningsOf } from './scrape-facts.ts';

/** Everything a document is made from. Plain data: it can cross to a worker thread. */
export interface DocumentParts {
  obtained: ObtainedPage;
  request: ScrapeRequest;
  scrape: ScrapeInfo;
}

/**
 * Reads a page and makes its document. All work that takes time in proportion to the page, or worse, happens here.
 * @throws TrawlError BAD_REQUEST when a selector is not valid or takes too much work on this page, and
 *   SCRAPE_UNSUPPORTED_FILE_ERROR when the page is not text
 */
export function makeDocument({ obtained, request, scrape }: DocumentParts): ScrapedPage {
  const { page } = obtained;
  if (!page.isText) throw unsupportedFile(page.contentType);
  const { body, url, contentType, headers } = page;
  const content = readDocument({ body, url, contentType, contentLanguage: headers['content-language'] }, request);

  const { metadata, discovered, warning, shell, ...formats } = content;
  return {
    document: {
      ...formats,
      metadata: { ...metadata, ...factsOf(obtained, request, scrape) },
      ...(request.formats.includes('rawHtml') && { rawHtml: utf8Text(body) }),
      ...warningsOf(obtained, request, warning),
    },
    ...(shell !== undefined && { shell }),
    ...(warning !== undefined && { warning }),
    ...(discovered !== undefined && { discovered: withHeader(discovered, headers, request) }),
  };
}

/** A page can ask crawlers not to index or follow it in its headers as well as in its HTML. */
function withHeader(
  discovered: Discovered,
  headers: Readonly<Record<string, string>>,
  { discover }: ScrapeRequest,
): Discovered {
  if (discover === undefined) return discovered;
  const tag = robotsTag(headers['x-robots-tag'], discover.agent);
  return { ...discovered, noindex: discovered.noindex || tag.noindex, nofollow: discovered.nofollow || tag.nofollow };
}
