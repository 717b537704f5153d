import type Firecrawl from 'firecrawl';
import type {
  ActionOption,
  BatchScrapeOptions,
  CrawlOptions,
  FirecrawlAppV1,
  FormatOption,
  FormatString,
  ImageParser,
  LocationConfig,
  MapOptions,
  PDFParser,
  RedactPIIOptions,
  ScrapeOptions,
  ThreatProtectionOptions,
  WebhookConfig,
} from 'firecrawl';

/**
 * Every request field in the types of the public SDK, with values for it. When a new release of the SDK adds a field,
 * `npm run check` names it.
 */

/** Accepted and done, accepted with a warning that names it, or refused by name. */
export type Outcome = 'works' | 'no effect' | 'refused';

type Samples<Value> = readonly [Outcome, Value, ...Value[]];
type Fields<T> = { readonly [K in keyof T]-?: Samples<Exclude<T[K], undefined>> };

const location: Required<LocationConfig> = { country: 'DE', languages: ['de-DE', 'de'] };
const auditMetadata: Required<NonNullable<ScrapeOptions['auditMetadata']>> = { username: 'mara' };
const profile: Required<NonNullable<ScrapeOptions['profile']>> = { name: 'mine', saveChanges: false };
const redactPII: Required<RedactPIIOptions> = { mode: 'fast', entities: ['EMAIL'], replaceStyle: 'mask' };
const pdf: Required<PDFParser> = {
  type: 'pdf',
  mode: 'auto',
  maxPages: 10,
  pages: true,
  pageMarkdown: true,
  blocks: true,
  pageMarkers: true,
};
const image: Required<ImageParser> = { type: 'image' };
const threatProtection: Required<ThreatProtectionOptions> = {
  mode: 'normal',
  riskScoreThreshold: 50,
  blacklist: ['*.bad.example'],
  whitelist: ['good.example'],
  blockedTlds: ['zip'],
  failurePolicy: 'open',
};

const webhook: Required<WebhookConfig> = {
  url: 'http://127.0.0.1:1/hook',
  headers: { 'X-From': 'trawl' },
  metadata: { order: '17' },
  events: ['started', 'page', 'completed', 'failed'],
};

export const ACTIONS: { [A in ActionOption as A['type']]: A } = {
  wait: { type: 'wait', milliseconds: 5 },
  screenshot: { type: 'screenshot', fullPage: true },
  click: { type: 'click', selector: '#more' },
  write: { type: 'write', text: 'lamps' },
  press: { type: 'press', key: 'Enter' },
  scroll: { type: 'scroll', direction: 'down' },
  scrape: { type: 'scrape' },
  executeJavascript: { type: 'executeJavascript', script: '1 + 1' },
  pdf: { type: 'pdf', format: 'A4' },
};

type FormatName = FormatString | Extract<FormatOption, object>['type'];

export const FORMATS: { readonly [Name in FormatName]: Samples<FormatOption> } = {
  markdown: ['works', 'markdown', { type: 'markdown' }],
  html: ['works', 'html', { type: 'html' }],
  rawHtml: ['works', 'rawHtml', { type: 'rawHtml' }],
  links: ['works', 'links', { type: 'links' }],
  images: ['works', 'images', { type: 'images' }],
  product: ['works', 'product', { type: 'product' }],
  menu: ['works', 'menu', { type: 'menu' }],
  attributes: ['works', { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }],
  summary: ['refused', 'summary', { type: 'summary' }],
  json: ['refused', { type: 'json', prompt: 'the title', schema: { type: 'object' }, checkPromptInjection: true }],
  question: ['refused', { type: 'question', question: 'What is it?' }],
  highlights: ['refused', { type: 'highlights', query: 'lamps' }],
  query: ['refused', { type: 'query', prompt: 'What is it?', mode: 'directQuote' }],
  screenshot: [
    'works',
    'screenshot',
    { type: 'screenshot', fullPage: true, quality: 80, viewport: { width: 800, height: 600 } },
  ],
  changeTracking: [
    'refused',
    { type: 'changeTracking', modes: ['git-diff', 'json'], schema: {}, prompt: 'x', tag: 'y' },
  ],
  branding: ['works', 'branding', { type: 'branding' }],
  audio: ['works', 'audio', { type: 'audio' }],
  video: ['works', 'video', { type: 'video' }],
};

/** The fields of scrape, and of batch and crawl for each page. */
export const PAGE_FIELDS: Fields<ScrapeOptions> = {
  formats: ['works', ['markdown', { type: 'links' }]],
  headers: ['works', { 'X-Visitor': 'mail man' }],
  includeTags: ['works', ['main', 'body']],
  excludeTags: ['works', ['nav']],
  onlyMainContent: ['works', false, true],
  timeout: ['works', 30_000],
  waitFor: ['works', 20],
  mobile: ['works', true],
  parsers: ['works', ['pdf', pdf, image], []],
  actions: ['works', Object.values(ACTIONS)],
  location: ['works', location],
  skipTlsVerification: ['works', false, true],
  removeBase64Images: ['works', false],
  fastMode: ['no effect', true],
  useMock: ['no effect', 'recorded-page'],
  blockAds: ['works', false],
  proxy: ['works', 'stealth', 'enhanced', 'auto', 'basic'],
  maxAge: ['works', 60_000, 0],
  minAge: ['works', 0],
  storeInCache: ['works', false],
  lockdown: ['works', true],
  redactPII: ['works', true, redactPII],
  threatProtection: ['works', threatProtection],
  auditMetadata: ['works', auditMetadata],
  profile: ['works', profile],
  integration: ['works', 'contract-test'],
  origin: ['works', 'js-sdk'],
  domainTools: ['no effect', true],
  toolDetail: ['no effect', 'compact', 'summary', 'full'],
};

/** @param appendToId a running batch */
export function batchFields(appendToId: string): Omit<Fields<BatchScrapeOptions>, 'options' | 'idempotencyKey'> {
  return {
    webhook: ['works', webhook, webhook.url],
    appendToId: ['works', appendToId],
    ignoreInvalidURLs: ['works', true, false],
    maxConcurrency: ['works', 2],
    zeroDataRetention: ['works', true],
    integration: ['works', 'contract-test'],
    origin: ['works', 'js-sdk'],
  };
}

export const CRAWL_FIELDS: Omit<Fields<CrawlOptions>, 'scrapeOptions'> = {
  prompt: ['works', 'only the blog', null],
  excludePaths: ['works', ['^/admin'], null],
  includePaths: ['works', ['.*'], null],
  maxDiscoveryDepth: ['works', 2, null],
  sitemap: ['works', 'skip', 'only', 'include'],
  ignoreQueryParameters: ['works', true],
  deduplicateSimilarURLs: ['works', false],
  limit: ['works', 5, null],
  crawlEntireDomain: ['works', true],
  allowExternalLinks: ['works', false],
  allowSubdomains: ['works', true],
  ignoreRobotsTxt: ['works', true],
  robotsUserAgent: ['works', 'SomeBot', null],
  delay: ['works', 0.01, null],
  maxConcurrency: ['works', 2, null],
  webhook: ['works', webhook, webhook.url, null],
  regexOnFullURL: ['works', true],
  zeroDataRetention: ['works', true],
  integration: ['works', 'contract-test'],
  origin: ['works', 'js-sdk'],
};

export const MAP_FIELDS: Fields<MapOptions> = {
  search: ['works', 'lamps'],
  sitemap: ['works', 'skip', 'only', 'include'],
  includeSubdomains: ['works', false],
  ignoreQueryParameters: ['works', false],
  limit: ['works', 50],
  timeout: ['works', 30_000],
  integration: ['works', 'contract-test'],
  origin: ['works', 'js-sdk'],
  location: ['works', location],
  threatProtection: ['works', threatProtection],
  auditMetadata: ['works', auditMetadata],
};

/** The arguments of `crawlParamsPreview`, which the SDK takes one by one. */
export const PREVIEW_ARGUMENTS: Parameters<Firecrawl['crawlParamsPreview']> = ['https://example.com', 'only the blog'];

type V1CrawlOptions = NonNullable<Parameters<FirecrawlAppV1['asyncCrawlUrl']>[1]>;
type V1PageOptions = NonNullable<V1CrawlOptions['scrapeOptions']>;
type V1ScrapeOptions = NonNullable<Parameters<FirecrawlAppV1['scrapeUrl']>[1]>;

/** The fields of crawl for each page in version 1, and of scrape and batch too. */
export const V1_PAGE_FIELDS: Fields<V1PageOptions> = {
  formats: ['works', ['markdown', 'html', 'rawHtml', 'links']],
  headers: ['works', { 'X-Visitor': 'mail man' }],
  includeTags: ['works', ['main', 'body']],
  excludeTags: ['works', ['nav']],
  onlyMainContent: ['works', false],
  waitFor: ['works', 20],
  timeout: ['works', 30_000],
  location: ['works', location],
  mobile: ['works', true],
  skipTlsVerification: ['works', true],
  removeBase64Images: ['works', false],
  blockAds: ['works', false],
  proxy: ['works', 'stealth', 'enhanced', 'auto', 'basic'],
  storeInCache: ['works', false],
  maxAge: ['works', 1_000],
  parsePDF: ['works', true],
  auditMetadata: ['works', auditMetadata],
};

/** The further fields of scrape and batch. */
export const V1_SCRAPE_FIELDS: Fields<Omit<V1ScrapeOptions, keyof V1PageOptions>> = {
  extract: ['refused', { prompt: 'the title', systemPrompt: 'Be brief.' }],
  jsonOptions: ['refused', { prompt: 'the title', systemPrompt: 'Be brief.', checkPromptInjection: true }],
  changeTrackingOptions: ['refused', { prompt: 'x', modes: ['json', 'git-diff'], tag: null }],
  actions: ['works', [{ type: 'wait', milliseconds: 5 }]],
  agent: ['refused', { model: 'FIRE-1', prompt: 'Click on.', sessionId: 'one' }],
  zeroDataRetention: ['works', true],
};

export const V1_CRAWL_FIELDS: Fields<Omit<V1CrawlOptions, 'scrapeOptions'>> = {
  includePaths: ['works', ['.*']],
  excludePaths: ['works', ['^/admin']],
  maxDepth: ['works', 4],
  maxDiscoveryDepth: ['works', 2],
  limit: ['works', 5],
  allowBackwardLinks: ['works', true],
  crawlEntireDomain: ['works', true],
  allowExternalLinks: ['works', false],
  ignoreSitemap: ['works', true],
  webhook: ['works', webhook, webhook.url],
  deduplicateSimilarURLs: ['works', false],
  ignoreQueryParameters: ['works', true],
  regexOnFullURL: ['works', true],
  delay: ['works', 0.01],
  allowSubdomains: ['works', true],
  maxConcurrency: ['works', 2],
  zeroDataRetention: ['works', true],
};

export const V1_MAP_FIELDS: Fields<NonNullable<Parameters<FirecrawlAppV1['mapUrl']>[1]>> = {
  search: ['works', 'lamps'],
  ignoreSitemap: ['works', false],
  includeSubdomains: ['works', false],
  sitemapOnly: ['works', false],
  limit: ['works', 50],
  timeout: ['works', 30_000],
  useIndex: ['works', false],
  location: ['works', location],
  auditMetadata: ['works', auditMetadata],
};

/** A request with every field that is not refused, the first value of each. */
export function acceptedValues(fields: object): { [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, [outcome, value]]) => (outcome === 'refused' ? [] : [[name, value]])),
  );
}
