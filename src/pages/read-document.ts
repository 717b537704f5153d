import type { ContentFormat, PageContent } from '../content/page-content.ts';
import { type PlainKind, readPlain } from '../content/plain/read-plain.ts';
import { readPage } from '../content/read-page.ts';
import { TrawlError } from '../errors.ts';
import { utf8Text } from '../fetch/body/utf8.ts';
import { redact } from './redact/redact.ts';
import type { ScrapeFormat, ScrapeOptions } from './request.ts';

/** What a document is read from. Source, options and content are plain data: they can cross to a worker thread. */
export interface DocumentSource {
  /** Text in UTF-8. */
  body: Uint8Array;
  /** The address it came from, after redirects. */
  url: string;
  /** Without parameters, for example `text/html`. */
  contentType: string;
  /** The `Content-Language` header, if any. */
  contentLanguage: string | undefined;
}

/**
 * Makes all requested formats except `rawHtml` from a source, according to its content type, and redacts them if requested.
 * All work that takes time in proportion to the page, or worse, happens here.
 * @throws TrawlError BAD_REQUEST when a selector is not valid or takes too much work on this page
 */
export function readDocument(source: DocumentSource, options: ScrapeOptions): PageContent {
  const content = isHtml(source.contentType) ? readHtml(source, options) : readPlainText(source, options);
  const { redactPII, location } = options;
  if (redactPII === undefined || content.markdown === undefined) return content;
  return { ...content, markdown: redact(content.markdown, redactPII, location.country).text };
}

function isHtml(contentType: string): boolean {
  return contentType === 'text/html' || contentType === 'application/xhtml+xml';
}

function readHtml({ body, url, contentLanguage }: DocumentSource, options: ScrapeOptions): PageContent {
  return readPage(
    { html: utf8Text(body), url, ...(contentLanguage === undefined ? {} : { contentLanguage }) },
    { ...options, formats: options.formats.filter(isContentFormat) },
  );
}

function isContentFormat(format: ScrapeFormat): format is ContentFormat {
  return format !== 'rawHtml' && format !== 'screenshot' && format !== 'branding';
}

function readPlainText({ body, url, contentType }: DocumentSource, options: ScrapeOptions): PageContent {
  const { formats, discover } = options;
  const text = utf8Text(body);
  const { markdown, title } = readPlain(plainKind(contentType), text, url);
  const content: PageContent = { metadata: title === undefined ? {} : { title } };
  if (formats.includes('markdown')) content.markdown = markdown;
  if (formats.includes('html')) content.html = `<pre>${escapeText(text)}</pre>`;
  if (formats.includes('links')) content.links = [];
  if (formats.includes('images')) content.images = [];
  if (formats.includes('attributes')) content.attributes = [];
  if (discover) content.discovered = { links: [], noindex: false, nofollow: false };
  if (formats.includes('audio') || formats.includes('video')) content.media = { audio: [], video: [] };
  const described = formats.filter((format) => format === 'product' || format === 'menu');
  if (described.length > 0) content.warning = `A page of type ${contentType} describes no ${described.join(' or ')}.`;
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

/** The error for a page that is not text. */
export function unsupportedFile(contentType: string): TrawlError {
  const isMedia = /^(image|audio|video|font)\//.test(contentType);
  const need = isMedia ? '' : ' Reading it needs a document parser, which this version does not have yet.';
  return new TrawlError(
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
    `The address answered with a file of type ${contentType}, not a page.${need}`,
  );
}
