import { type ErrorCode, TrawlError } from '../errors.ts';
import { noSecureConnection } from '../fetch/transport-error.ts';

/** Reasons of Chromium (net/base/net_error_list.h), as the plain fetch words them: they follow "because" or a colon. */
const CERTIFICATE_REASONS: Readonly<Record<string, string>> = {
  ERR_CERT_AUTHORITY_INVALID: 'its certificate is self-signed, or comes from an authority that is not trusted here',
  ERR_CERT_COMMON_NAME_INVALID: 'its certificate is for another host name',
  ERR_CERT_DATE_INVALID: 'its certificate has expired, or is not valid yet',
  ERR_CERT_REVOKED: 'its certificate was revoked',
  ERR_SSL_PROTOCOL_ERROR: 'the server does not speak TLS on this port; perhaps the address should start with http://',
  ERR_SSL_VERSION_OR_CIPHER_MISMATCH: 'it offers only outdated encryption',
  ERR_SSL_OBSOLETE_VERSION: 'it offers only outdated encryption',
};

const BROKEN = 'it closed the connection without a response';
const CONNECTION_REASONS: Readonly<Record<string, string>> = {
  ERR_CONNECTION_CLOSED: BROKEN,
  ERR_CONNECTION_RESET: BROKEN,
  ERR_EMPTY_RESPONSE: BROKEN,
  ERR_SOCKET_NOT_CONNECTED: BROKEN,
  ERR_CONNECTION_TIMED_OUT: 'it does not answer',
  ERR_TIMED_OUT: 'it does not answer',
};

/** Answers that no browser can read. */
const BAD_RESPONSE =
  /^ERR_(?:INVALID_|RESPONSE_HEADERS_|INCOMPLETE_|CONTENT_|HTTP2_|UNEXPECTED_|MISCONFIGURED_|SPDY_)|_DECODING_/;
/** Addresses that no page may lead to. */
const FORBIDDEN =
  /^ERR_(?:UNSAFE_PORT|UNSAFE_REDIRECT|INVALID_REDIRECT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|ACCESS_DENIED|FILE_|BLOCKED_BY_)/;

/** The code in the message of a failed navigation, such as `ERR_CERT_DATE_INVALID`; undefined for any other failure. */
export function netErrorOf(message: string): string | undefined {
  return /\bnet::(ERR_[A-Z0-9_]+)/.exec(message)?.[1];
}

/** The error for the caller when only the browser knows why an address did not load. */
export function navigationError(code: string, url: URL, verifyTls: boolean): TrawlError {
  const because = (error: ErrorCode, message: string) => new TrawlError(error, message);
  if (/^ERR_(?:CERT|SSL|BAD_SSL|QUIC)_/.test(code)) {
    return noSecureConnection(url, CERTIFICATE_REASONS[code] ?? `the handshake failed (${code})`, verifyTls);
  }
  if (code === 'ERR_TOO_MANY_REDIRECTS') {
    return because(
      'SCRAPE_TOO_MANY_REDIRECTS',
      `The address redirects more than 20 times, the last time to ${url.href}.`,
    );
  }
  if (code === 'ERR_NAME_NOT_RESOLVED') {
    return because('SCRAPE_DNS_RESOLUTION_ERROR', `The name ${url.hostname} could not be resolved.`);
  }
  if (FORBIDDEN.test(code)) {
    return because('SCRAPE_BLOCKED_TARGET', `The browser may not load ${url.href.slice(0, 200)} (${code}).`);
  }
  if (BAD_RESPONSE.test(code)) {
    return because('SCRAPE_BAD_RESPONSE', `The response of ${url.host} cannot be read: the browser reports ${code}.`);
  }
  const reason = CONNECTION_REASONS[code] ?? `the browser reports ${code}`;
  return because('SCRAPE_CONNECTION_ERROR', `No response from ${url.host}: ${reason}.`);
}
