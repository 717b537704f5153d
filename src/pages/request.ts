import type { AttributeSelector, DiscoverOptions } from '../content/page-content.ts';
import type { ProxyMode } from '../fetch/types.ts';
import type { ThreatPolicy } from '../site/threat-protection.ts';
import type { RedactOptions } from './redact/redact.ts';

/** The formats that are made today. What else the contract names is refused by `availability.ts`. */
export const SCRAPE_FORMATS = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'attributes',
  'product',
  'menu',
] as const;
export type ScrapeFormat = (typeof SCRAPE_FORMATS)[number];

/** One scrape, validated, with every default filled in. Both API versions and the command line make this shape. */
export interface ScrapeRequest extends ScrapeOptions {
  /** As the caller wrote it; `parseTarget` accepts it. */
  url: string;
}

export interface ScrapeOptions {
  formats: readonly ScrapeFormat[];
  /** For the format `attributes`. */
  attributes: readonly AttributeSelector[];
  onlyMainContent: boolean;
  onlyCleanContent: boolean;
  includeTags: readonly string[];
  excludeTags: readonly string[];
  removeBase64Images: boolean;
  blockAds: boolean;

  headers: Readonly<Record<string, string>>;
  mobile: boolean;
  location: Location;
  verifyTls: boolean;
  proxy: ProxyMode;
  /** Milliseconds for the whole request. */
  timeout: number;

  /** A stored copy younger than this, in milliseconds, may be served. Undefined: any age, in cache-only modes. */
  maxAge: number | undefined;
  /** Serve from the cache alone, and only a copy at least this old, in milliseconds. */
  minAge: number | undefined;
  storeInCache: boolean;
  /** Serve from the cache alone and make no outbound connection of any kind. */
  lockdown: boolean;

  zeroDataRetention: boolean;
  redactPII: RedactOptions | undefined;
  threatProtection: ThreatPolicy | undefined;

  /** What the caller should know about these options. Every document repeats it. */
  warnings?: readonly string[];

  /** Set by a crawl, never by a caller: what the page offers a crawler is wanted beside the document. */
  discover?: DiscoverOptions;
}

export interface Location {
  /** ISO 3166-1 alpha-2, upper case. */
  country: string | undefined;
  /** BCP 47 tags, the preferred first. */
  languages: readonly string[];
}
