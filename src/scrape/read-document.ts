import type { ContentFormat, PageContent } from '../content/page-content.ts';
import { type PlainKind, readPlain } from '../content/plain/read-plain.ts';
import { readPage } from '../content/read-page.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage } from '../fetch/types.ts';
import type { ScrapeFormat, ScrapeOptions } from './request.ts';

type ReadDocument = PageContent & { rawHtml?: string };

/** A fetched page in the formats asked for, by what kind of content it is. Throws SCRAPE_UNSUPPORTED_FILE_ERROR. */
export async function readDocument(page: FetchedPage, options: ScrapeOptions): Promise<ReadDocument> {
  const { text } = page;
  if (text === undefined) throw unsupported(page.contentType);

  const content = isHtml(page.contentType) ? readHtml(page, text, options) : readPlainText(page, text, options);
  return options.formats.includes('rawHtml') ? { ...content, rawHtml: text } : content;
}

function isHtml(contentType: string): boolean {
  return contentType === 'text/html' || contentType === 'application/xhtml+xml';
}

function readHtml(page: FetchedPage, html: string, options: ScrapeOptions): PageContent {
  const contentLanguage = page.headers['content-language'];
  return readPage(
    { html, url: page.url, ...(contentLanguage === undefined ? {} : { contentLanguage }) },
    { ...options, formats: options.formats.filter(isContentFormat) },
  );
}

function isContentFormat(format: ScrapeFormat): format is ContentFormat {
  return format !== 'rawHtml';
}

function readPlainText(page: FetchedPage, text: string, { formats }: ScrapeOptions): ReadDocument {
  const { markdown, title } = readPlain(plainKind(page.contentType), text, page.url);
  const content: ReadDocument = { metadata: title === undefined ? {} : { title } };
  if (formats.includes('markdown')) content.markdown = markdown;
  if (formats.includes('html')) content.html = `<pre>${escapeText(text)}</pre>`;
  if (formats.includes('links')) content.links = [];
  if (formats.includes('images')) content.images = [];
  if (formats.includes('attributes')) content.attributes = [];
  if (formats.includes('product')) content.warning = `A page of type ${page.contentType} describes no product.`;
  return content;
}

/** RFC 6838 section 4.2.8: the suffix names the syntax, as in `application/ld+json` and `application/atom+xml`. */
function plainKind(contentType: string): PlainKind {
  if (contentType === 'application/json' || contentType === 'text/json' || contentType.endsWith('+json')) return 'json';
  if (contentType === 'application/xml' || contentType === 'text/xml' || contentType.endsWith('+xml')) return 'xml';
  if (contentType === 'text/csv' || contentType === 'text/tab-separated-values') return 'csv';
  return 'text';
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unsupported(contentType: string): TrawlError {
  const isMedia = /^(image|audio|video|font)\//.test(contentType);
  const need = isMedia ? '' : ' Reading it needs a document parser, which this version does not have yet.';
  return new TrawlError(
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
    `The address answered with a file of type ${contentType}, not a page.${need}`,
  );
}
