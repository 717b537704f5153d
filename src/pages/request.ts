import type { Action } from '../browser/actions/types.ts';
import type { ScreenshotOptions } from '../browser/types.ts';
import type { AttributeSelector, DiscoverOptions } from '../content/page-content.ts';
import type { ProxyMode } from '../fetch/types.ts';
import type { ThreatPolicy } from '../site/threat-protection.ts';
import type { RedactOptions } from './redact/redact.ts';

/** The formats implemented today. `availability.ts` refuses the others of the contract. */
export const SCRAPE_FORMATS = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'attributes',
  'product',
  'menu',
  'screenshot',
  'branding',
  'audio',
  'video',
] as const;
export type ScrapeFormat = (typeof SCRAPE_FORMATS)[number];

/** A validated scrape request with every default filled in. Both API versions and the command line produce it. */
export interface ScrapeRequest extends ScrapeOptions {
  /** As the caller wrote it; `parseTarget` accepts it. */
  url: string;
}

export interface ScrapeOptions {
  formats: readonly ScrapeFormat[];
  /** For the format `attributes`. */
  attributes: readonly AttributeSelector[];
  /** For the format `screenshot`. */
  screenshot: ScreenshotOptions | undefined;
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

  /** Milliseconds to wait in a browser once the page is ready. */
  waitFor: number;
  /** Steps in a browser, in order. */
  actions: readonly Action[];

  /** What the browser keeps between scrapes of the team. */
  profile?: ProfileOptions | undefined;

  /** A stored copy younger than this, in milliseconds, may be served. Undefined in cache-only modes: a copy of any age. */
  maxAge: number | undefined;
  /** Serve only from the cache, and only a copy at least this old, in milliseconds. */
  minAge: number | undefined;
  storeInCache: boolean;
  /** Serve only from the cache, and make no outbound connection of any kind. */
  lockdown: boolean;

  zeroDataRetention: boolean;
  redactPII: RedactOptions | undefined;
  threatProtection: ThreatPolicy | undefined;

  /** Warnings about these options. Every document repeats them. */
  warnings?: readonly string[];

  /** Set by a crawl, never by a caller: also return what a crawler needs to know about the page. */
  discover?: DiscoverOptions;
}

export interface ProfileOptions {
  name: string;
  /** Otherwise the profile stays as it is. */
  saveChanges: boolean;
}

export interface Location {
  /** ISO 3166-1 alpha-2, upper case. */
  country: string | undefined;
  /** BCP 47 tags, the preferred one first. */
  languages: readonly string[];
}
