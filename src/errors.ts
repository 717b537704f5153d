/**
 * All errors. A failure becomes a TrawlError where it arises; only server/ turns it into the response `{success: false,
 * code, error, details?}`.
 *
 * Failures of targets are a 502 only if a retry may help, because clients retry a 502 three times. Lasting failures (no
 * such host, bad certificate, endless redirects) are a 500 with a code of their own.
 */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  BAD_REQUEST_INVALID_JSON: 400,
  /** The request is well-formed, but uses a feature that this version does not have yet. */
  NOT_AVAILABLE: 400,
  UNAUTHORIZED: 401,
  /** The team's plan has too few credits left. */
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  /** The egress guard refuses the address. */
  SCRAPE_BLOCKED_TARGET: 403,
  NOT_FOUND: 404,
  SCRAPE_NO_CACHED_DATA: 404,
  SCRAPE_LOCKDOWN_CACHE_MISS: 404,
  /** The path exists, but not with this method. */
  METHOD_NOT_ALLOWED: 405,
  SCRAPE_TIMEOUT: 408,
  /** The state of the resource does not allow the request. */
  CONFLICT: 409,
  REQUEST_TOO_LARGE: 413,
  /** The page exceeds the limit on size, expanded size or compression ratio. */
  SCRAPE_PAGE_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  SCRAPE_UNSUPPORTED_FILE_ERROR: 415,
  /** The plan allows no more waiting pages. */
  QUEUE_FULL: 429,
  /** Too many requests in this minute, or in this day without a key. */
  RATE_LIMIT_EXCEEDED: 429,
  /** More work at the same time than the plan allows. */
  CONCURRENCY_LIMIT_EXCEEDED: 429,
  /** The client disconnected before its response. Only the log shows this. */
  REQUEST_CANCELLED: 499,
  INTERNAL_ERROR: 500,
  /** A stored value was encrypted with another TRAWL_SECRET. */
  SECRET_MISMATCH: 500,
  SCRAPE_DNS_RESOLUTION_ERROR: 500,
  SCRAPE_SSL_ERROR: 500,
  SCRAPE_TOO_MANY_REDIRECTS: 500,
  /** An action in the browser failed: the message names its index and the reason. */
  SCRAPE_ACTION_ERROR: 400,
  /** The page crashed its browser, twice. */
  SCRAPE_BROWSER_CRASHED: 500,
  /** The site shows a page against robots instead of its content. */
  SCRAPE_BLOCKED_BY_SITE: 500,
  /** The target's response is not HTTP, or its body cannot be decoded. */
  SCRAPE_BAD_RESPONSE: 500,
  /** Refused, reset or unreachable: a retry may help. */
  SCRAPE_CONNECTION_ERROR: 502,
  SCRAPE_PROXY_ERROR: 502,
  /** The host answered a page of a job with 429 or 503: it needs a pause. */
  SCRAPE_HOST_BUSY: 502,
  /** The same, even at the slowest pace. */
  SCRAPE_HOST_DOWN: 502,
  /** A page of a job may not be fetched, because the robots.txt of its site is unreachable. */
  SCRAPE_ROBOTS_UNREACHABLE: 502,
  /** A page of a crawl redirects out of the scope of the crawl. */
  CRAWL_OUT_OF_SCOPE: 500,
  /** A link of a crawl belongs to an endless series of pages. */
  CRAWL_TRAP: 500,
  /** A sitemap of a crawl is malformed or incomplete. */
  CRAWL_BAD_SITEMAP: 500,
  /** A crawl of the sitemaps alone found none. */
  CRAWL_NO_SITEMAP: 500,
  /** The language model is unreachable, or accepts no requests for now. */
  LLM_UNAVAILABLE: 502,
  /** The language model refuses the request: wrong key or model name. */
  LLM_REFUSED: 500,
  /** The language model's output is invalid, even after another try. */
  LLM_BAD_ANSWER: 500,
  LLM_TIMEOUT: 408,
  /** This machine has no browser that runs. */
  BROWSER_UNAVAILABLE: 503,
  /** Too many pages are waiting to be parsed. */
  OVERLOADED: 503,
  STORE_UNAVAILABLE: 503,
  SHUTTING_DOWN: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ErrorOptions {
  /** Details that a client can act on, for example each bad field. Sent as `details`. */
  details?: unknown;
  /** Response headers that belong to the failure, for example `WWW-Authenticate`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A failure with a code, its HTTP status, and a message that says what to change. */
export class TrawlError extends Error {
  override readonly name = 'TrawlError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}
