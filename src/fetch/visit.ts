import { setImmediate as nextTurn } from 'node:timers/promises';
import { TrawlError } from '../errors.ts';
import { decodeText } from './charset.ts';
import { decodeContent } from './content-coding.ts';
import { isTextType, sniffContentType } from './content-type.ts';
import { type Answer, exchange, type ResponseHeaders } from './exchange.ts';
import { HopCookies } from './hop-cookies.ts';
import { refreshReference } from './meta-refresh.ts';
import { isRedirect, MAX_REDIRECTS, nextAddress, redirectTarget, tooManyRedirects } from './redirect.ts';
import { readOwnHeaders, requestHeaders, withoutCredentials } from './request-headers.ts';
import type { Route } from './route.ts';
import type { FetchedPage, FetchRequest } from './types.ts';

export type VisitedPage = Omit<FetchedPage, 'proxyUsed'>;

/**
 * Goes to an address and on to where it redirects, at most ten times, each time past the guard. Cookies that are set
 * on the way are sent on the way and then forgotten; the caller's credentials stay with the first origin.
 *
 * @throws TrawlError SCRAPE_*, BAD_REQUEST for an address or header that cannot be sent, or the deadline's reason
 */
export async function visit(route: Route, request: FetchRequest, maxBodyBytes: number): Promise<VisitedPage> {
  const { mobile, languages, verifyTls, deadline } = request;
  const cookies = new HopCookies();
  let own = readOwnHeaders(request.headers);
  let url = parseAddress(request.url);
  const trail = [url.href];
  for (;;) {
    deadline.check();
    const cookie = cookies.header(url, own.get('cookie')?.[1]);
    const headers = requestHeaders(url, { mobile, languages, own, cookie });
    let answer: Answer;
    try {
      await unlessAborted(route.check(url), deadline.signal);
      answer = await exchange(route, { url, headers, verifyTls, maxBodyBytes, signal: deadline.signal });
      route.checkAnswer?.(url, answer.status);
    } catch (error) {
      throw deadline.signal.aborted ? error : afterRedirect(error, trail);
    }

    let next: URL;
    if (isRedirect(answer.status, answer.headers)) next = redirectTarget(answer.headers, url);
    else {
      const page = await readPage(answer, url, maxBodyBytes);
      const refresh = refreshAddress(page, answer.headers, url);
      if (refresh === undefined) return page;
      next = refresh;
    }
    cookies.take(answer.headers['set-cookie'], url);
    trail.push(next.href);
    if (trail.length > MAX_REDIRECTS + 1) throw tooManyRedirects(trail);
    if (next.origin !== url.origin) own = withoutCredentials(own);
    // undici frees the connection in the next turn of the event loop; without this a second one would be opened.
    else await nextTurn();
    url = next;
  }
}

/** A name server that does not answer must not outlast the deadline. */
function unlessAborted(check: void | Promise<void>, signal: AbortSignal): void | Promise<void> {
  if (check === undefined) return;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([check, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

function parseAddress(address: string): URL {
  const url = URL.parse(address);
  if (url === null) {
    throw new TrawlError('BAD_REQUEST', `"${address.slice(0, 100)}" is not a valid address.`);
  }
  url.username = '';
  url.password = '';
  return url;
}

async function readPage(answer: Answer, url: URL, maxBodyBytes: number): Promise<VisitedPage> {
  const headers = plainHeaders(answer.headers);
  let { body, cutShort } = answer;
  const contentEncoding = headers['content-encoding'];
  // When the packed data is whole, a connection that broke after it has cost nothing.
  if (contentEncoding !== undefined) ({ body, cutShort } = await decodeContent(body, contentEncoding, maxBodyBytes));
  const contentType = sniffContentType({
    header: headers['content-type'],
    noSniff: headers['x-content-type-options']?.trim().toLowerCase() === 'nosniff',
    body,
    path: url.pathname,
  });
  const isText = isTextType(contentType);
  if (cutShort && !isText) {
    throw new TrawlError(
      'SCRAPE_CONNECTION_ERROR',
      `${url.host} closed the connection after ${body.length} bytes, before the end of the file.`,
    );
  }
  const page: VisitedPage = { url: url.href, status: answer.status, headers, contentType, body };
  if (isText) page.text = decodeText(body, headers['content-type']);
  if (cutShort) page.incomplete = true;
  return page;
}

/** Where a page sends its reader at once. A page that only reloads itself is that page, unless it set a cookie first. */
function refreshAddress(page: VisitedPage, headers: ResponseHeaders, url: URL): URL | undefined {
  if (page.contentType !== 'text/html' || page.text === undefined) return undefined;
  const reference = refreshReference(page.text, page.headers.refresh);
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

/** Says that the trouble is with an address that nobody typed. */
function afterRedirect(error: unknown, trail: readonly string[]): unknown {
  const from = trail.at(-2);
  if (!(error instanceof TrawlError) || from === undefined) return error;
  return new TrawlError(error.code, `${error.message} (${new URL(from).host} redirects there.)`, { cause: error });
}
