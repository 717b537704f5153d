import { z } from 'zod';
import type { AttributeSelector } from '../../content/page-content.ts';
import { requireAvailable, UNAVAILABLE_FORMATS } from '../../pages/availability.ts';
import { toRedactOptions } from '../../pages/redact/options.ts';
import type { ScrapeFormat, ScrapeOptions } from '../../pages/request.ts';
import { screenshotFields, toScreenshot } from '../actions.ts';
import { ignoredOptions } from '../ignored-options.ts';
import * as field from '../scrape.ts';

const MADE = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'product',
  'menu',
  'branding',
  'audio',
  'video',
] as const satisfies readonly ScrapeFormat[];

/** Two days: pages rarely change sooner, and existing clients rely on this default. */
const DEFAULT_MAX_AGE = 172_800_000;
const DEFAULT_TIMEOUT = 60_000;

const format = z.union(
  [
    z.enum([...MADE, ...UNAVAILABLE_FORMATS, 'screenshot', 'screenshot@fullPage']),
    z.strictObject({ type: z.enum(MADE) }),
    z.strictObject({ type: z.literal('attributes'), selectors: field.attributeSelectors }),
    z.strictObject({ type: z.literal('screenshot'), ...screenshotFields }),
    z.looseObject({ type: z.enum(UNAVAILABLE_FORMATS) }),
  ],
  { error: describeBadFormat },
);

function selectorsOf(entry: FormatBody, index: number): field.PlacedSelector[] {
  if (typeof entry === 'string' || entry.type !== 'attributes') return [];
  return entry.selectors.map(({ selector }, at) => ({ selector, path: [index, 'selectors', at, 'selector'] }));
}

const redactPII = z
  .union([
    z.boolean(),
    z.strictObject({
      mode: z.enum(['accurate', 'aggressive', 'fast']).optional(),
      entities: z.array(z.enum(['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'])).optional(),
      replaceStyle: z.enum(['tag', 'mask', 'remove']).optional(),
    }),
  ])
  .optional()
  .describe('Redact e-mail addresses, telephone numbers, payment details and secrets in the Markdown');

/** The fields of `ScrapeOptions` in the contract, for a scrape and for each page of a crawl or batch. */
export const scrapeOptionFields = {
  ...field.sharedOptions,
  formats: z
    .array(format)
    .max(50, { abort: true })
    .superRefine((formats, context) => field.checkSelectors(formats.flatMap(selectorsOf), context))
    .optional()
    .describe('The formats of the page to return; the default is "markdown"'),
  onlyCleanContent: z
    .boolean()
    .default(false)
    .describe('Also leave out share bars, related links and similar parts inside the main content'),
  maxAge: z
    .int()
    .min(0)
    .optional()
    .describe(`Accept a cached copy younger than this, in milliseconds; the default is ${DEFAULT_MAX_AGE}`),
  minAge: z.int().min(0).optional().describe('Serve only from the cache, a copy at least this old, in milliseconds'),
  skipTlsVerification: z.boolean().default(true).describe('Accept certificates that cannot be verified'),
  timeout: z
    .int()
    .min(1000)
    .max(300_000)
    .default(DEFAULT_TIMEOUT)
    .describe('Time limit of the whole request, in milliseconds'),
  parsers: z.array(field.parser).max(10).optional().describe('How documents are read'),
  fastMode: z.boolean().optional().describe('Has no effect: every scrape is fast'),
  useMock: z.string().max(256).optional().describe('Has no effect: pages are never mocked'),
  domainTools: z.boolean().optional().describe('Has no effect: there is no catalogue of tools'),
  toolDetail: z
    .enum(['compact', 'summary', 'full'])
    .optional()
    .describe('Has no effect: there is no catalogue of tools'),
  lockdown: z.boolean().default(false).describe('Serve only from the cache and make no outbound connection'),
  redactPII,
  profile: z
    .strictObject({
      name: z.string().min(1).max(128).refine(isPlainText, 'must be text without control characters'),
      saveChanges: z.boolean().default(true).describe('Save what the page changed; otherwise the profile is only read'),
    })
    .optional()
    .describe('A browser profile of the team: its cookies, localStorage and IndexedDB are kept between scrapes'),
};

export type ScrapeOptionsBody = z.infer<z.ZodObject<typeof scrapeOptionFields>>;

/** Converts the options. Throws NOT_AVAILABLE for features that do not exist yet. */
export function toScrapeOptions(body: ScrapeOptionsBody): Omit<ScrapeOptions, 'zeroDataRetention'> {
  const { redactPII } = body;
  const { formats, attributes, screenshot } = readFormats(body.formats ?? ['markdown']);
  return {
    ...field.toSharedOptions(body),
    ...ignoredOptions({ ...body, 'redactPII.mode': typeof redactPII === 'object' ? redactPII.mode : undefined }),
    formats,
    attributes,
    screenshot,
    profile: body.profile,
    onlyCleanContent: body.onlyCleanContent,
    verifyTls: !body.skipTlsVerification,
    timeout: body.timeout,
    // Cache-only modes accept a copy of any age unless the caller sets a bound: there is nothing fresher to fall back
    // on.
    maxAge: body.maxAge ?? (body.lockdown || body.minAge !== undefined ? undefined : DEFAULT_MAX_AGE),
    minAge: body.minAge,
    lockdown: body.lockdown,
    redactPII: toRedactOptions(redactPII),
  };
}

/** What both databases store as it is. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

type FormatBody = z.infer<typeof format>;

function readFormats(given: readonly FormatBody[]): Pick<ScrapeOptions, 'formats' | 'attributes' | 'screenshot'> {
  const formats = new Set<ScrapeFormat>();
  const attributes: AttributeSelector[] = [];
  let screenshot: ScrapeOptions['screenshot'];
  for (const entry of given) {
    const given = typeof entry === 'string' ? entry : entry.type;
    const isFullPage = given === 'screenshot@fullPage';
    const name = isFullPage ? 'screenshot' : given;
    requireAvailable<ScrapeFormat>(name);
    if (typeof entry === 'object' && entry.type === 'attributes') attributes.push(...entry.selectors);
    if (name === 'screenshot') {
      screenshot = toScreenshot({
        fullPage: isFullPage,
        ...(typeof entry === 'object' && entry.type === 'screenshot' && entry),
      });
    }
    formats.add(name);
  }
  return { formats: [...formats], attributes, screenshot };
}

function describeBadFormat({ input }: { input?: unknown }): string {
  const name = typeof input === 'object' && input !== null && 'type' in input ? input.type : input;
  if (name === 'attributes') {
    return 'The format "attributes" needs selectors: {"type": "attributes", "selectors": [{"selector": "a", "attribute": "href"}]}';
  }
  // Only a name is quoted: printing a value nested 100,000 deep overflows the stack.
  const given = typeof name === 'string' ? JSON.stringify(name.slice(0, 100)) : 'This';
  return `${given} is not a format. Formats are: ${[...MADE, 'attributes', 'screenshot', 'screenshot@fullPage', ...UNAVAILABLE_FORMATS].join(', ')}`;
}
