import { z } from 'zod';
import { compileSelector, MAX_SELECTORS, requireSelectorBounds } from '../content/selectors.ts';
import { TrawlError } from '../errors.ts';
import type { ProxyMode } from '../fetch/types.ts';
import type { Location, ScrapeOptions } from '../pages/request.ts';
import { MAX_URL_LENGTH, parseTarget } from '../site/target.ts';
import type { RequestOrigin } from '../team/request-origin.ts';
import { actions, toActions } from './actions.ts';

/** The fields that both API versions share. Bounds are checked here; deeper layers trust them. */

/** A check that throws a TrawlError, as a zod refinement with that error's message. */
function passes(check: (value: string) => unknown) {
  return (value: string, context: z.RefinementCtx) => {
    addIssueOf(() => check(value), context);
  };
}

/** Runs a check and returns whether it passed. A TrawlError that it throws becomes an issue at the path. */
function addIssueOf(check: () => unknown, context: z.RefinementCtx, path: PropertyKey[] = []): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (!(error instanceof TrawlError)) throw error;
    context.addIssue({ code: 'custom', message: error.message, path });
    return false;
  }
}

export const targetUrl = z
  .string({
    error: ({ input }) => (input === undefined ? 'is missing: give the address to scrape' : 'must be a string'),
  })
  .superRefine(passes(parseTarget))
  .meta({ format: 'uri', maxLength: MAX_URL_LENGTH, example: 'https://example.com' });

export interface PlacedSelector {
  selector: string;
  /** The path of the selector, starting at the checked field. */
  path: PropertyKey[];
}

/** Checks the selectors of a field: first their total size, then whether each compiles. */
export function checkSelectors(placed: readonly PlacedSelector[], context: z.RefinementCtx): void {
  const selectors = placed.map(({ selector }) => selector);
  if (!addIssueOf(() => requireSelectorBounds(selectors), context)) return;
  for (const { selector, path } of placed) addIssueOf(() => compileSelector(selector), context, path);
}

const tags = z
  .array(z.string())
  .max(MAX_SELECTORS, { abort: true })
  .superRefine((selectors, context) => {
    const placed = selectors.map((selector, index) => ({ selector, path: [index] }));
    checkSelectors(placed, context);
  });
const includeTags = tags.optional().describe('CSS selectors: keep only what matches');
const excludeTags = tags.optional().describe('CSS selectors: drop what matches');

/** RFC 9110 sections 5.1 (token) and 5.5: a line break in a value would start another header. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
const headerValue = z
  .string()
  .max(16_384)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'has a character that a header cannot hold, such as a line break');
const headers = z
  .record(z.string(), headerValue)
  .superRefine((given, context) => {
    const names = Object.keys(given);
    if (names.length > 100) {
      context.addIssue({ code: 'custom', message: `has ${names.length} headers; at most 100` });
      return;
    }
    for (const name of names.filter((one) => !HEADER_NAME.test(one))) {
      context.addIssue({
        code: 'custom',
        message: `${JSON.stringify(name.slice(0, 100))} is not the name of a header`,
      });
    }
  })
  .optional()
  .describe('Headers to send to the site');

export const location = z
  .strictObject({
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be a country code of two letters, for example "DE"')
      .optional(),
    languages: z
      .array(z.string().regex(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a language tag, for example "de-DE"'))
      .max(20)
      .optional(),
  })
  .optional()
  .describe('The country and languages to request the page in, sent as Accept-Language');

export function toLocation(given: z.infer<typeof location>): Location {
  return { country: given?.country?.toUpperCase(), languages: given?.languages ?? [] };
}

const proxy = z
  .enum(['basic', 'stealth', 'enhanced', 'auto'])
  .optional()
  .describe('Which proxy to use: "enhanced" is the second proxy of the operator ("stealth" is its older name)');

function toProxyMode(given: z.infer<typeof proxy>): ProxyMode {
  return given === 'stealth' ? 'enhanced' : (given ?? 'auto');
}

export const attributeSelectors = z
  .array(z.strictObject({ selector: z.string(), attribute: z.string().min(1).max(200) }))
  .min(1)
  .max(MAX_SELECTORS);

const domains = z.array(z.string().min(1).max(253)).max(1000).optional();
export const threatProtection = z
  .strictObject({
    mode: z.enum(['off', 'manual-only', 'normal', 'zscaler']).optional(),
    riskScoreThreshold: z.int().min(0).max(100).optional(),
    blacklist: domains,
    whitelist: domains,
    blockedTlds: domains,
    failurePolicy: z.enum(['open', 'closed']).optional(),
  })
  .optional()
  .describe('Hosts to refuse for this request');

export const auditMetadata = z.strictObject({ username: z.string().max(1024) }).optional();
const origin = z.string().max(256).optional().describe('The calling client, for example "js-sdk@4.42.0"');
const integration = z.string().max(256).nullish().describe('The product the call comes from');

/** Options for documents of one type. A name alone means the defaults. */
export const parser = z.union([
  z.enum(['pdf', 'image']),
  z.strictObject({
    type: z.literal('pdf'),
    mode: z.enum(['fast', 'auto', 'ocr']).optional(),
    maxPages: z.int().min(1).max(10_000).optional(),
    pages: z.boolean().optional(),
    blocks: z.boolean().optional(),
    pageMarkers: z.boolean().optional(),
    pageMarkdown: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('image') }),
]);

/** Options that both versions take, with the same meaning. */
export const sharedOptions = {
  onlyMainContent: z
    .boolean()
    .default(true)
    .describe('Leave out navigation, header, footer, asides, advertisements and cookie banners'),
  includeTags,
  excludeTags,
  headers,
  mobile: z.boolean().default(false).describe('Request the page as a mobile device'),
  location,
  removeBase64Images: z
    .boolean()
    .default(true)
    .describe('Drop the data of images that are embedded in the page, and keep their alt text'),
  blockAds: z.boolean().default(true).describe('Leave out advertisements and cookie banners'),
  proxy,
  storeInCache: z.boolean().default(true).describe('Store a copy in the cache for later requests'),
  threatProtection,
  auditMetadata,
  waitFor: z.int().min(0).default(0).describe('Milliseconds to wait in a browser once the page is ready'),
  actions,
};

/** The caller, recorded in the activity log. */
export const originFields = { origin, integration };

/** The fields of a scrape in both versions, besides the options of the page. */
export const sharedFields = {
  url: targetUrl,
  zeroDataRetention: z.boolean().default(false).describe('Keep neither the page nor its address after the response'),
  ...originFields,
};

type SharedOptions = z.infer<z.ZodObject<typeof sharedOptions>>;
type OriginFields = z.infer<z.ZodObject<typeof originFields>>;

/** Converts the shared options. */
export function toSharedOptions(body: SharedOptions) {
  return {
    onlyMainContent: body.onlyMainContent,
    includeTags: body.includeTags ?? [],
    excludeTags: body.excludeTags ?? [],
    headers: body.headers ?? {},
    mobile: body.mobile,
    location: toLocation(body.location),
    removeBase64Images: body.removeBase64Images,
    blockAds: body.blockAds,
    proxy: toProxyMode(body.proxy),
    storeInCache: body.storeInCache,
    threatProtection: body.threatProtection,
    waitFor: body.waitFor,
    actions: toActions(body.actions),
  } satisfies Partial<ScrapeOptions>;
}

export function toRequestOrigin(
  apiVersion: RequestOrigin['apiVersion'],
  body: OriginFields & Pick<SharedOptions, 'auditMetadata'>,
): RequestOrigin {
  return {
    apiVersion,
    origin: body.origin ?? null,
    integration: body.integration ?? null,
    auditUsername: body.auditMetadata?.username ?? null,
  };
}
