import type { MediaSources } from './media/media-source.ts';

/** The input and output of the content engine. Both are plain data, so that they can cross to a worker thread. */

import type { ShellReport } from './shell.ts';

export interface PageInput {
  /** The decoded source. */
  html: string;
  /** The address the source came from, after redirects. */
  url: string;
  /** The `Content-Language` header, if any. */
  contentLanguage?: string;
}

export type ContentFormat =
  | 'markdown'
  | 'html'
  | 'links'
  | 'images'
  | 'attributes'
  | 'product'
  | 'menu'
  | 'audio'
  | 'video';

export interface AttributeSelector {
  selector: string;
  attribute: string;
}

export interface ReadOptions {
  formats: readonly ContentFormat[];
  /** Drop navigation, header, footer, asides, ads and cookie banners; keep the main content. */
  onlyMainContent: boolean;
  /** Also drop residual boilerplate inside the main content: share bars, related links, newsletter boxes. */
  onlyCleanContent: boolean;
  /** CSS selectors; when given, only what matches is kept. Applied before `onlyMainContent`. */
  includeTags: readonly string[];
  /** CSS selectors; what matches is dropped. Applied before `onlyMainContent`. */
  excludeTags: readonly string[];
  /** Images with a `data:` address lose the address and keep their alt text. */
  removeBase64Images: boolean;
  /** Drop advertisements and cookie banners, also when `onlyMainContent` is false. */
  blockAds: boolean;
  /** For the format `attributes`. */
  attributes: readonly AttributeSelector[];
  /** When given, also returns the links of the whole page for a crawler, whatever part of it the formats cover. */
  discover?: DiscoverOptions;
}

export interface DiscoverOptions {
  /** Our name in `<meta name="…">`, beside `robots`: a product token (RFC 9309 section 2.2.1). */
  agent: string;
}

/** Raw `<meta>` names and their camelCase forms (`og:title` and `ogTitle`); repeated tags become arrays. */
export interface PageMetadata {
  title?: string;
  description?: string;
  language?: string;
  keywords?: string | string[];
  robots?: string;
  favicon?: string;
  /** Absolute addresses of the page's RSS, Atom and JSON feeds. */
  feeds?: string[];
  [name: string]: string | string[] | undefined;
}

/** The information on a page that a crawler needs. */
export interface Discovered {
  /** Its targets: absolute http and https addresses, each once, in document order. */
  links: DiscoveredLink[];
  /** The canonical address that the page declares (RFC 6596). */
  canonical?: string;
  /** The same page in other languages (`hreflang`). */
  alternates?: string[];
  /** The page asks not to be shown by search engines. */
  noindex: boolean;
  /** The page asks that none of its links be followed. */
  nofollow: boolean;
}

export interface DiscoveredLink {
  /** Without its fragment, unless an application uses it for routing. */
  url: string;
  /** Every link to this address says `rel=nofollow`. */
  nofollow: boolean;
  /** The text of the first link that has any, or the alternative text of its picture. */
  text?: string;
}

export interface PageContent {
  metadata: PageMetadata;
  markdown?: string;
  /** Cleaned HTML of the same part of the page as the Markdown. */
  html?: string;
  links?: string[];
  images?: string[];
  attributes?: { selector: string; attribute: string; values: string[] }[];
  product?: Product;
  menu?: Menu;
  /** Where its recordings are, for the formats `audio` and `video`. No answer of the API shows it. */
  media?: MediaSources;
  /** For the crawler alone: no answer of the API shows it. */
  discovered?: Discovered;
  /** Whether only a browser can show it. No API response includes it. */
  shell?: ShellReport;
  /** Notes for the reader, for example about an ambiguous product page. */
  warning?: string;
}

export interface Price {
  amount: number;
  /** ISO 4217. */
  currency?: string;
  formatted?: string;
}

export interface ProductVariant {
  id?: string;
  sku?: string;
  title?: string;
  values?: Record<string, string>;
  price?: Price;
  sale?: { originalPrice: Price };
  availability: { inStock: boolean; text?: string };
  images?: { url: string; alt?: string }[];
}

export interface Product {
  title: string;
  brand?: string;
  category?: string;
  url: string;
  description?: string;
  variants: ProductVariant[];
}

export interface Menu {
  isMenu: true;
  /** 0 to 1. */
  confidence: number;
  merchant: MenuMerchant;
  /** ISO 4217, when all prices are in one. */
  currency?: string;
  sections: MenuSection[];
  sourceUrl: string;
}

export interface MenuMerchant {
  name: string;
  /** A type of schema.org, such as `Restaurant`. */
  type?: string;
}

export interface MenuSection {
  id: string;
  name: string;
  description?: string;
  items: MenuItem[];
}

export interface MenuItem {
  id: string;
  name: string;
  description?: string;
  images: { url: string; alt?: string }[];
  price?: Price;
  availability: { inStock: boolean; text?: string };
  /** `vegan`, `gluten-free` … */
  dietary: string[];
  calories?: number;
  /** Sizes and extras: not read yet. */
  optionGroups: never[];
  identifiers: { merchantItemId?: string };
  url?: string;
  sourceUrl: string;
}
