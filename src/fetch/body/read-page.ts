import { TrawlError } from '../../errors.ts';
import type { Answer, ResponseHeaders } from '../exchange.ts';
import { nextAddress } from '../redirect.ts';
import type { FetchedPage } from '../types.ts';
import { toUtf8 } from './charset.ts';
import { type DecodeOptions, decodeContent } from './content-coding.ts';
import { isTextType, sniffContentType } from './content-type.ts';
import { refreshReference } from './meta-refresh.ts';
import { utf8Text } from './utf8.ts';

const MAX_SIGNPOST_BYTES = 32 * 1024;

export type ReadPage = Omit<FetchedPage, 'proxyUsed'>;

/**
 * The decoded response: content codings removed, type detected, text in UTF-8.
 * @throws TrawlError SCRAPE_PAGE_TOO_LARGE, SCRAPE_BAD_RESPONSE, or SCRAPE_CONNECTION_ERROR for a truncated file
 */
export async function readPage(answer: Answer, url: URL, options: DecodeOptions): Promise<ReadPage> {
  const headers = plainHeaders(answer.headers);
  const coding = headers['content-encoding'];
  const { body, cutShort } = coding === undefined ? answer : await decodeContent(answer, coding, options);
  const contentType = sniffContentType({
    header: headers['content-type'],
    noSniff: headers['x-content-type-options']?.trim().toLowerCase() === 'nosniff',
    body,
    path: url.pathname,
  });
  const isText = isTextType(contentType);
  if (cutShort && !isText && !answer.isPart) {
    throw new TrawlError(
      'SCRAPE_CONNECTION_ERROR',
      `${url.host} closed the connection after ${body.length} bytes, before the end of the file.`,
    );
  }
  const page: ReadPage = {
    url: url.href,
    status: answer.status,
    headers,
    contentType,
    body: isText ? toUtf8(body, headers['content-type']) : body,
    isText,
  };
  if (answer.isPart) page.partial = true;
  else if (cutShort) page.incomplete = true;
  return page;
}

/** Where a page redirects to at once. A page that only reloads itself is the result, unless it set a cookie first. */
export function refreshAddress(page: ReadPage, headers: ResponseHeaders, url: URL): URL | undefined {
  if (page.contentType !== 'text/html') return undefined;
  // A page that only redirects is short. Longer ones are not searched.
  if (page.body.byteLength > MAX_SIGNPOST_BYTES) return undefined;
  const reference = refreshReference(utf8Text(page.body), page.headers.refresh);
  const target = reference === undefined ? undefined : nextAddress(reference, url);
  if (target === undefined || !/^https?:$/.test(target.protocol)) return undefined;
  return target.href === url.href && headers['set-cookie'] === undefined ? undefined : target;
}

function plainHeaders(headers: ResponseHeaders): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'set-cookie') continue;
    plain[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return plain;
}
