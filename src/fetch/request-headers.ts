import { TrawlError } from '../errors.ts';
import { browserHeaders } from './browser-headers.ts';

/** The caller's validated headers: lower-case name to name and value. */
export type OwnHeaders = ReadonlyMap<string, readonly [name: string, value: string]>;

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110 section 5.5, without the line breaks and NUL that would let a value become another header. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers that describe the connection, and those that would change the meaning of the request (RFC 9110 section
 * 7.6.1). They are dropped without an error, because headers copied from a browser's tools contain them.
 */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The only headers of the caller that another origin gets. Any other may be a credential: services invent names such as
 * `X-Api-Key` and `Private-Token`, so a list of credentials would always be incomplete.
 */
const PORTABLE: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

/** @throws BAD_REQUEST for a name or value that HTTP cannot carry */
export function readOwnHeaders(headers: Readonly<Record<string, string>>): OwnHeaders {
  const own = new Map<string, readonly [string, string]>();
  for (const [name, value] of Object.entries(headers)) {
    const lowerName = name.toLowerCase();
    if (!TOKEN.test(name)) {
      throw new TrawlError('BAD_REQUEST', `"${printable(name)}" in "headers" is not a valid header name.`);
    }
    if (!FIELD_VALUE.test(value)) {
      throw new TrawlError(
        'BAD_REQUEST',
        `The value of "${name}" in "headers" has a character that a header cannot hold, such as a line break. Encode it.`,
      );
    }
    if (CONNECTION_HEADERS.has(lowerName) || lowerName.startsWith('proxy-')) continue;
    own.set(lowerName, [name, value.trim()]);
  }
  return own;
}

/** The caller's headers for an address of an origin other than the intended one. */
export function portable(own: OwnHeaders): OwnHeaders {
  return new Map([...own].filter(([name]) => PORTABLE.has(name)));
}

/** The same for headers as the caller wrote them. */
export function portableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => PORTABLE.has(name.toLowerCase())));
}

export interface HeaderOptions {
  mobile: boolean;
  /** In order of preference. */
  languages: readonly string[];
  own: OwnHeaders;
  /** The whole `Cookie` header. */
  cookie: string | undefined;
}

/**
 * The headers to send to an address, as undici takes them: a browser's headers in a browser's order, then the caller's.
 */
export function requestHeaders(url: URL, { mobile, languages, own, cookie }: HeaderOptions): string[] {
  const list: string[] = [];
  const defaults = browserHeaders({ secure: url.protocol === 'https:', mobile, languages });
  for (const [lowerName, header] of defaults) {
    // The User-Agent of another browser would contradict Chrome's client hints.
    if (lowerName.startsWith('sec-ch-ua') && own.has('user-agent')) continue;
    list.push(...(own.get(lowerName) ?? header));
  }
  for (const [lowerName, header] of own) {
    if (lowerName !== 'cookie' && !defaults.has(lowerName)) list.push(...header);
  }
  if (cookie !== undefined) list.push('Cookie', cookie);
  return list;
}

function printable(text: string): string {
  return text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
}
