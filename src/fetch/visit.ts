import { setImmediate as nextTurn } from 'node:timers/promises';
import { TrawlError } from '../errors.ts';
import { type ReadPage, readPage, refreshAddress } from './body/read-page.ts';
import { type Answer, type Exchange, exchange } from './exchange.ts';
import { HopCookies } from './hop-cookies.ts';
import { afterRedirect, isRedirect, MAX_REDIRECTS, redirectTarget, tooManyRedirects } from './redirect.ts';
import { portable, readOwnHeaders, requestHeaders } from './request-headers.ts';
import type { Route } from './route.ts';
import type { FetchRequest } from './types.ts';

/**
 * Fetches an address and follows its redirects, at most ten, each time past the guard. Cookies set on the way are sent
 * on the way and then forgotten; the caller's headers stay with the first origin.
 * @param send makes each request
 * @throws TrawlError SCRAPE_*, BAD_REQUEST for an address or header that cannot be sent, or the deadline's reason
 */
export async function visit(
  route: Route,
  request: FetchRequest,
  maxBodyBytes: number,
  send: Exchange = exchange,
): Promise<ReadPage> {
  const { mobile, languages, verifyTls, deadline, part, share } = request;
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
      request.admit?.(url);
      await unlessAborted(route.check(url), deadline.signal);
      answer = await send(route, {
        url,
        method: 'GET',
        headers,
        verifyTls,
        maxBodyBytes,
        part,
        signal: deadline.signal,
        share,
      });
      route.checkAnswer?.(url, answer.status);
    } catch (error) {
      throw deadline.signal.aborted ? error : afterRedirect(error, trail.at(-2));
    }

    let next: URL;
    if (isRedirect(answer.status, answer.headers)) next = redirectTarget(answer.headers, url);
    else {
      const page = await readPage(answer, url, { maxBytes: maxBodyBytes, share, signal: deadline.signal });
      const refresh = refreshAddress(page, answer.headers, url);
      if (refresh === undefined) return page;
      next = refresh;
    }
    await cookies.take(answer.headers['set-cookie'], url);
    trail.push(next.href);
    if (trail.length > MAX_REDIRECTS + 1) throw tooManyRedirects(trail);
    if (next.origin !== url.origin) own = portable(own);
    // undici frees the connection in the next turn of the event loop; without this a second one would be opened.
    else await nextTurn();
    url = next;
  }
}

/** A silent name server must not outlast the deadline. */
export function unlessAborted(check: void | Promise<void>, signal: AbortSignal): void | Promise<void> {
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
