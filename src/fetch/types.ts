import type { Deadline } from '../deadline.ts';
import type { TrawlError } from '../errors.ts';

/**
 * The route: direct or through TRAWL_PROXY (`basic`), through TRAWL_PROXY_ENHANCED, or basic first and enhanced when
 * blocked. A single rendered or impersonating request takes the basic route for `auto`.
 */
export type ProxyMode = 'basic' | 'enhanced' | 'auto';

export interface FetchRequest {
  /** http or https. */
  url: string;
  /**
   * The caller's own headers; they override the defaults. Other origins get only those for content, language and agent.
   */
  headers: Readonly<Record<string, string>>;
  /** Identifies as a phone's browser. */
  mobile: boolean;
  /** `Accept-Language` in order of preference, for example `['de-DE', 'de', 'en']`. Empty: English. */
  languages: readonly string[];
  verifyTls: boolean;
  proxy: ProxyMode;
  /** Called with each address before it is contacted, also after a redirect or refresh. Throws to refuse it. */
  admit?: (url: URL) => void;
  deadline: Deadline;
  /**
   * The party whose request it is, such as the id of a team. Shares get connections and memory in turn, so that none
   * crowds out the others.
   */
  share: string;
  /** Read only the beginning of the body. */
  part?: BodyPart;
}

/** How much of a body to read, in bytes as sent. */
export interface BodyPart {
  /** After this much, the connection is closed. */
  max: number;
  /** With at least this much, the page is returned if the deadline ends before the body does. */
  enough: number;
}

export interface FetchedPage {
  /** The final address, after redirects. */
  url: string;
  status: number;
  /** Lower-case names; repeated headers are joined with `, ` except `set-cookie`, which is not kept. */
  headers: Record<string, string>;
  /**
   * The type of the bytes, sniffed when the header is missing or wrong: `text/html`, `application/json`,
   * `application/pdf` … without parameters.
   */
  contentType: string;
  /** After content decoding. Text is in UTF-8, whatever its original encoding. */
  body: Uint8Array;
  /** Whether `contentType` is a type of text. */
  isText: boolean;
  /**
   * The connection ended before the page did, and `body` is the part that arrived. Only for text types; others are an
   * error.
   */
  incomplete?: true;
  /** The rest was not read: `body` is the requested beginning. */
  partial?: true;
  proxyUsed: 'basic' | 'enhanced';
  /** What the page lacks because of how it was obtained. */
  warning?: string;
}

export interface PostRequest {
  /** http or https. */
  url: URL;
  /** All headers except those of the connection. */
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  /** As for fetches. */
  share: string;
}

/** Posts messages to receivers that asked for them, through the same route and the same guard. */
export interface Poster {
  /**
   * Posts, at least once, and returns the status of the response. Redirects are not followed, and the body is not kept.
   * @throws TrawlError SCRAPE_*, or the reason of the signal
   */
  post(request: PostRequest): Promise<number>;
  /** @throws SCRAPE_BLOCKED_TARGET when it is already known that posting there is impossible */
  checkTarget(url: URL): Promise<void>;
}

/** Fetches pages. Safe for concurrent use; `close` ends its sockets. */
export interface Fetcher {
  /** @throws TrawlError SCRAPE_* */
  fetch(request: FetchRequest): Promise<FetchedPage>;
  /** @throws SCRAPE_BLOCKED_TARGET for an address that is refused whatever its name resolves to */
  check(url: URL): void;
  close(): Promise<void>;
}

/** Fetches pages as Chrome does, down to its TLS and HTTP/2, for sites that refuse others. */
export interface Impersonator {
  /**
   * Undefined where this machine cannot do it.
   * @throws TrawlError SCRAPE_*
   */
  impersonate(request: FetchRequest): Promise<FetchedPage | undefined>;
}

export interface ProxyRequest {
  /** Called with each address before it is contacted. Throws to refuse it. */
  admit?: ((url: URL) => void) | undefined;
  route: 'basic' | 'enhanced';
}

/** A proxy for one browser context: an address on loopback through which everything of the context goes. */
export interface EgressProxy {
  /** `http://127.0.0.1:PORT` */
  address: string;
  /** Why the host of an address was not reached, in the words of the plain fetch; undefined if it was. */
  refusal(url: URL): TrawlError | undefined;
  /** Ends the proxy and every connection through it. */
  close(): Promise<void>;
}

/** Opens proxies for a browser, which speaks HTTP and TLS itself, past the same guard. */
export interface ProxyOpener {
  openProxy(request: ProxyRequest): Promise<EgressProxy>;
  /** @throws SCRAPE_BLOCKED_TARGET for an address that is refused whatever its name resolves to */
  check(url: URL): void;
  /** Whether the operator has set up the second proxy. */
  readonly hasEnhanced: boolean;
}
