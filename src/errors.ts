/**
 * The one family of errors. A failure is a TrawlError where it arises; server/ shapes it into the answer
 * `{success: false, code, error, details?}` and nothing else does.
 *
 * Targets that fail: 502 only for what may pass by itself, because clients retry a 502 three times;
 * what will fail again (no such host, bad certificate, endless redirects) is a 500 with its own code.
 */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  BAD_REQUEST_INVALID_JSON: 400,
  /** The request is well-formed, but asks for something that this version does not do yet. */
  NOT_AVAILABLE: 400,
  UNAUTHORIZED: 401,
  /** The team's plan has no credits left for this. */
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  /** The egress guard refuses the address. */
  SCRAPE_BLOCKED_TARGET: 403,
  NOT_FOUND: 404,
  SCRAPE_NO_CACHED_DATA: 404,
  SCRAPE_LOCKDOWN_CACHE_MISS: 404,
  /** There is the path, but not with this method. */
  METHOD_NOT_ALLOWED: 405,
  SCRAPE_TIMEOUT: 408,
  /** The state of what is asked for does not allow it. */
  CONFLICT: 409,
  REQUEST_TOO_LARGE: 413,
  /** The page is over the limit on size, expanded size or compression ratio. */
  SCRAPE_PAGE_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  SCRAPE_UNSUPPORTED_FILE_ERROR: 415,
  /** The plan allows no more pages to wait. */
  QUEUE_FULL: 429,
  /** More requests a minute, or without a key a day, than are allowed. */
  RATE_LIMIT_EXCEEDED: 429,
  /** More work at the same time than the plan allows. */
  CONCURRENCY_LIMIT_EXCEEDED: 429,
  /** The client hung up before its answer. Only the log sees this. */
  REQUEST_CANCELLED: 499,
  INTERNAL_ERROR: 500,
  /** What is stored was encrypted under another TRAWL_SECRET. */
  SECRET_MISMATCH: 500,
  SCRAPE_DNS_RESOLUTION_ERROR: 500,
  SCRAPE_SSL_ERROR: 500,
  SCRAPE_TOO_MANY_REDIRECTS: 500,
  /** The target spoke something that is not HTTP, or a body that cannot be decoded. */
  SCRAPE_BAD_RESPONSE: 500,
  /** Refused, reset or unreachable: may work the next time. */
  SCRAPE_CONNECTION_ERROR: 502,
  SCRAPE_PROXY_ERROR: 502,
  /** The host answered a page of a job with 429 or 503: it wants to be left alone for a while. */
  SCRAPE_HOST_BUSY: 502,
  /** The same, however slowly it was asked. */
  SCRAPE_HOST_DOWN: 502,
  /** A page of a job may not be fetched, because the robots.txt of its site cannot be. */
  SCRAPE_ROBOTS_UNREACHABLE: 502,
  /** A page of a crawl redirects to where the crawl does not go. */
  CRAWL_OUT_OF_SCOPE: 500,
  /** A link of a crawl leads on for ever. */
  CRAWL_TRAP: 500,
  /** A sitemap of a crawl is none, or its end is missing. */
  CRAWL_BAD_SITEMAP: 500,
  /** A crawl of the sitemap alone, of a site that has none. */
  CRAWL_NO_SITEMAP: 500,
  /** The language model cannot be reached, or takes no requests for now. */
  LLM_UNAVAILABLE: 502,
  /** The language model does not take the request: key, name of the model. */
  LLM_REFUSED: 500,
  /** What the language model says is not what it was asked for, also when it is asked again. */
  LLM_BAD_ANSWER: 500,
  LLM_TIMEOUT: 408,
  /** More pages wait to be read than the service takes on. */
  OVERLOADED: 503,
  STORE_UNAVAILABLE: 503,
  SHUTTING_DOWN: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ErrorOptions {
  /** What a client can act on, for example each bad field. Sent as `details`. */
  details?: unknown;
  /** Response headers that belong to the failure, for example `WWW-Authenticate`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A failure with a code, its HTTP status and a message that says what to change. */
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
