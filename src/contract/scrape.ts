import { z } from 'zod';
import { compileSelector, MAX_SELECTORS, requireSelectorBounds } from '../content/selectors.ts';
import { TrawlError } from '../errors.ts';
import type { ProxyMode } from '../fetch/types.ts';
import { notAvailable } from '../pages/availability.ts';
import type { Location, ScrapeOptions } from '../pages/request.ts';
import { MAX_URL_LENGTH, parseTarget } from '../site/target.ts';
import type { RequestOrigin } from '../team/request-origin.ts';

/** The fields that both API versions share. Bounds are stated here; what is inside them is trusted further down. */

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
  /** The place of the selector, from the checked field on. */
  path: PropertyKey[];
}

/** Checks the selectors of a field: the size of all of them first, then whether each compiles. */
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

/** RFC 9110 section 5.1 (token) and 5.5: a line break in a value would start a header of its own. */
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
  .describe('Whose version of the page to ask for: sent as Accept-Language');

export function toLocation(given: z.infer<typeof location>): Location {
  return { country: given?.country?.toUpperCase(), languages: given?.languages ?? [] };
}

const proxy = z
  .enum(['basic', 'stealth', 'enhanced', 'auto'])
  .optional()
  .describe('Which way out: "enhanced" is the second proxy of the operator ("stealth" is its older name)');

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
  .describe('Addresses to refuse for this request');

export const auditMetadata = z.strictObject({ username: z.string().max(1024) }).optional();
const origin = z.string().max(256).optional().describe('What calls, for example "js-sdk@4.42.0"');
const integration = z.string().max(256).nullish().describe('The product the call comes from');

/** Options for documents of one kind. A name alone stands for the defaults. */
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
  mobile: z.boolean().default(false).describe('Ask for the page as a telephone does'),
  location,
  removeBase64Images: z
    .boolean()
    .default(true)
    .describe('Keep the alt text of images that are embedded in the page, drop their data'),
  blockAds: z.boolean().default(true).describe('Leave out advertisements and cookie banners'),
  proxy,
  storeInCache: z.boolean().default(true).describe('Keep a copy for later requests'),
  threatProtection,
  auditMetadata,
  waitFor: z.int().min(0).max(300_000).optional().describe('Milliseconds to wait in a browser. Has no effect yet'),
  // Only a browser can do these: accepted in shape, so that the refusal can name what is missing.
  actions: z
    .array(z.looseObject({ type: z.string() }))
    .max(100)
    .optional()
    .describe('Steps in a browser'),
};

/** Who calls, recorded with the activity. */
export const originFields = { origin, integration };

/** What both versions take for a scrape beside the options of the page. */
export const sharedFields = {
  url: targetUrl,
  zeroDataRetention: z.boolean().default(false).describe('Keep nothing of the page or its address after the answer'),
  ...originFields,
};

type SharedOptions = z.infer<z.ZodObject<typeof sharedOptions>>;
type OriginFields = z.infer<z.ZodObject<typeof originFields>>;

/** The shared options as the capability takes them. Throws NOT_AVAILABLE for what cannot be done yet. */
export function toSharedOptions(body: SharedOptions) {
  if (body.actions !== undefined && body.actions.length > 0) throw notAvailable('"actions"', 'browser');
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
