import { errors } from 'undici';
import { TrawlError } from '../errors.ts';

export interface TransportContext {
  url: URL;
  verifyTls: boolean;
  /** Whether the headers of an answer had come. */
  headersRead: boolean;
}

/** Certificate problems (the codes of Node's TLS module), as words that follow "because". */
const CERTIFICATE_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it sends an incomplete certificate chain, or one of an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

const CONNECTION_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections on this port',
  ECONNRESET: 'it closed the connection without a response',
  EPIPE: 'it closed the connection without a response',
  UND_ERR_SOCKET: 'it closed the connection without a response',
  EHOSTUNREACH: 'it is unreachable from this network',
  ENETUNREACH: 'its network is unreachable from here',
  EADDRNOTAVAIL: 'it is unreachable from this network',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
};

/**
 * Turns errors of undici, net or tls into the error for the caller. Our own errors pass through, and so do unexpected
 * ones, which are bugs of this program.
 */
export function fromTransport(error: Error, { url, verifyTls, headersRead }: TransportContext): Error {
  if (error instanceof TrawlError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';

  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new TrawlError('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.', { cause: error });
  }
  if (isTlsCode(code)) {
    return noSecureConnection(url, tlsReason(code, error), verifyTls, error);
  }
  if (isBadResponse(error) && !headersRead) {
    const isOverflow = code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW';
    const problem = isOverflow ? 'its headers are over 64 KB' : 'it is not HTTP';
    return new TrawlError('SCRAPE_BAD_RESPONSE', `The response of ${url.host} cannot be read: ${problem}.`, {
      cause: error,
    });
  }
  const reason = isBadResponse(error) ? 'it broke off the response' : CONNECTION_REASONS[code];
  if (reason === undefined) return error;
  return new TrawlError('SCRAPE_CONNECTION_ERROR', `No response from ${url.host}: ${reason}.`, { cause: error });
}

/** @param reason follows "because" */
export function noSecureConnection(url: URL, reason: string, verifyTls: boolean, cause?: Error): TrawlError {
  const hint = verifyTls ? ' To fetch it anyway, set "skipTlsVerification": true.' : '';
  return new TrawlError('SCRAPE_SSL_ERROR', `No secure connection to ${url.host}, because ${reason}.${hint}`, {
    cause,
  });
}

/** The connection broke during the request, as idle connections do; the request can simply be sent again. */
export function isDeadConnection(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined;
  return (code === 'UND_ERR_SOCKET' && !isBadResponse(error)) || code === 'ECONNRESET' || code === 'EPIPE';
}

/** An invalid response of the server. undici reports an unexpected 100 or 101 as a socket error. */
function isBadResponse(error: Error): boolean {
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError ||
    // Node's own client, which the egress proxy uses.
    ('code' in error && typeof error.code === 'string' && error.code.startsWith('HPE_')) ||
    error.message === 'bad response' ||
    error.message === 'bad upgrade'
  );
}

function isTlsCode(code: string): boolean {
  return (
    code in CERTIFICATE_REASONS || /^(ERR_SSL|ERR_TLS|CERT|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH|INVALID_)/.test(code)
  );
}

function tlsReason(code: string, error: Error): string {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return 'the server does not speak TLS on this port; perhaps the address should start with http://';
  }
  if (/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|HANDSHAKE_FAILURE|NO_SHARED_CIPHER/.test(code)) {
    return 'it offers only outdated encryption';
  }
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  return CERTIFICATE_REASONS[code] ?? `the handshake failed (${reason})`;
}
