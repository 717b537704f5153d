import type { Deadline } from '../deadline.ts';

/** Which way out: straight or through TRAWL_PROXY (`basic`), through TRAWL_PROXY_ENHANCED, or basic first and enhanced when blocked. */
export type ProxyMode = 'basic' | 'enhanced' | 'auto';

export interface FetchRequest {
  /** http or https. */
  url: string;
  /** The caller's own headers; they win over the defaults. Other origins get those for content, language and agent alone. */
  headers: Readonly<Record<string, string>>;
  /** Sends the identification of a phone's browser. */
  mobile: boolean;
  /** `Accept-Language` in order of preference, for example `['de-DE', 'de', 'en']`. Empty: English. */
  languages: readonly string[];
  verifyTls: boolean;
  proxy: ProxyMode;
  /** Called with each address before it is contacted, also after a redirect or refresh. Throws to refuse it. */
  admit?: (url: URL) => void;
  deadline: Deadline;
  /** Whose request it is, such as the id of a team. Shares get connections and memory in turn, so that none crowds out the others. */
  share: string;
  /** The beginning of the body is enough. */
  part?: BodyPart;
}

/** How much of a body is enough, in bytes as sent. */
export interface BodyPart {
  /** With more than this the connection is closed. */
  most: number;
  /** With this much the page is delivered when the deadline ends before the body does. */
  least: number;
}

export interface FetchedPage {
  /** The address that answered, after redirects. */
  url: string;
  status: number;
  /** Lower-case names; repeated headers are joined with `, ` except `set-cookie`, which is not kept. */
  headers: Record<string, string>;
  /** What the bytes are, sniffed when the header is missing or lies: `text/html`, `application/json`, `application/pdf` … without parameters. */
  contentType: string;
  /** After content decoding. Text is in UTF-8, whatever it came in by BOM, header or meta charset. */
  body: Uint8Array;
  /** Whether `contentType` is a type of text. */
  isText: boolean;
  /** The connection ended before the page did, and `body` is what had come. Text types only; others are an error. */
  incomplete?: true;
  /** The rest was not read: `body` is the beginning that the request asked for. */
  partial?: true;
  proxyUsed: 'basic' | 'enhanced';
}

export interface PostRequest {
  /** http or https. */
  url: URL;
  /** The whole of them but for those that the connection needs. */
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  /** As for fetches. */
  share: string;
}

/** The way out for messages to those who asked for them. It is the same way, past the same guard. */
export interface Poster {
  /**
   * Posts, at least once, and gives the status of the answer. Redirects are not followed, and of the body nothing is
   * kept.
   *
   * @throws TrawlError SCRAPE_*, or the reason of the signal
   */
  post(request: PostRequest): Promise<number>;
  /** @throws SCRAPE_BLOCKED_TARGET when it can be known already that nothing can be posted there */
  checkTarget(url: URL): Promise<void>;
}

/** The way out. Safe for concurrent use; `close` ends its sockets. */
export interface Fetcher {
  /** @throws TrawlError SCRAPE_* */
  fetch(request: FetchRequest): Promise<FetchedPage>;
  /** @throws SCRAPE_BLOCKED_TARGET for an address that is refused whatever its name leads to */
  check(url: URL): void;
  close(): Promise<void>;
}
