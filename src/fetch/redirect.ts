import { isUtf8 } from 'node:buffer';
import { TrawlError } from '../errors.ts';
import type { ResponseHeaders } from './exchange.ts';

/** Half of what browsers allow (Fetch Standard: 20). */
export const MAX_REDIRECTS = 10;

const REDIRECT_STATUS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether the response is a redirect (RFC 9110 section 15.4). Without `Location` it is a page like any other. */
export function isRedirect(status: number, headers: ResponseHeaders): boolean {
  return REDIRECT_STATUS.has(status) && locationOf(headers) !== '';
}

/** @throws SCRAPE_BAD_RESPONSE when `Location` is not an address */
export function redirectTarget(headers: ResponseHeaders, from: URL): URL {
  const location = locationOf(headers);
  const target = nextAddress(location, from);
  if (target === undefined) {
    throw new TrawlError(
      'SCRAPE_BAD_RESPONSE',
      `${from.host} redirects to "${location.slice(0, 100)}", which is not an address.`,
    );
  }
  return target;
}

/**
 * Resolves the reference of a redirect. User name and password are dropped: the redirecting site could send them to
 * anybody. A fragment is inherited (RFC 9110 section 10.2.2).
 */
export function nextAddress(reference: string, from: URL): URL | undefined {
  const target = URL.parse(reference, from.href);
  if (target === null) return undefined;
  target.username = '';
  target.password = '';
  if (target.hash === '') target.hash = from.hash;
  return target;
}

export function tooManyRedirects(trail: readonly string[]): TrawlError {
  const last = trail.slice(-3).map((address) => (address.length > 200 ? `${address.slice(0, 200)}…` : address));
  return new TrawlError(
    'SCRAPE_TOO_MANY_REDIRECTS',
    `The address redirects more than ${MAX_REDIRECTS} times; the last redirects were ${last.join(' → ')}.`,
  );
}

/** Header values come as Latin-1. Servers that put raw UTF-8 into `Location` mean UTF-8, as browsers read it. */
function locationOf(headers: ResponseHeaders): string {
  const { location = '' } = headers;
  const value = typeof location === 'string' ? location : (location[0] ?? '');
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}

/** Adds to the error that the address comes from a redirect, because nobody typed it. */
export function afterRedirect<Failure>(error: Failure, from: string | undefined): Failure | TrawlError {
  if (!(error instanceof TrawlError) || from === undefined) return error;
  return new TrawlError(error.code, `${error.message} (${new URL(from).host} redirects there.)`, { cause: error });
}
