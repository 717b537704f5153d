import { TrawlError } from '../errors.ts';
import { badHostName } from '../host-name.ts';

/** Longer addresses are refused, as servers commonly do (RFC 9110 section 4.1 recommends 8,000 octets). */
export const MAX_URL_LENGTH = 8192;

/** A host name with a dot, then a port, path, query or nothing: what people type without a scheme. */
const SCHEMELESS = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]|$)/u;
/** A host name without a dot, and a port: `localhost:3000`. Before digits these are schemes. */
const NAME_AND_PORT =
  /^(?!(?:https?|ftp|file|wss?|data|javascript|mailto|tel|fax|sms|callto):)[\p{L}\p{N}_-]+:\d{1,5}(?:[/?#]|$)/iu;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/**
 * The address to scrape, normalised by the WHATWG URL rules: `example.com` becomes `http://example.com/`. Throws
 * BAD_REQUEST for anything that is not an http or https address.
 */
export function parseTarget(input: string): URL {
  const text = input.trim();
  if (text === '') throw new TrawlError('BAD_REQUEST', 'The address is empty. Give an http or https address.');
  if (text.length > MAX_URL_LENGTH) {
    throw new TrawlError('BAD_REQUEST', `The address has ${text.length} characters; the limit is ${MAX_URL_LENGTH}.`);
  }

  const url = URL.parse(withScheme(text));
  if (url !== null && url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TrawlError('BAD_REQUEST', `Only http and https addresses can be scraped, not "${url.protocol}".`);
  }
  // "http:example.com" and "http:/example.com" parse, but they are typing mistakes.
  if (url === null || (SCHEME.test(text) && !/^https?:\/\//i.test(text) && !isSchemeless(text))) {
    throw new TrawlError(
      'BAD_REQUEST',
      `"${text.slice(0, 100)}" is not a valid address. Give one like https://example.com/page.`,
    );
  }
  const problem = badHostName(url.hostname);
  if (problem !== undefined) throw new TrawlError('BAD_REQUEST', problem);
  if (url.username !== '' || url.password !== '') {
    throw new TrawlError(
      'BAD_REQUEST',
      'The address must not contain a user name or password. Send them as an Authorization header in "headers".',
    );
  }
  return url;
}

/** The address as written, with the implied scheme if it has none: responses hold whole addresses. */
export function withScheme(input: string): string {
  const text = input.trim();
  return isSchemeless(text) ? `http://${text}` : text;
}

function isSchemeless(text: string): boolean {
  return SCHEMELESS.test(text) || NAME_AND_PORT.test(text);
}
