import { z } from 'zod';
import { notAvailable, requireAvailable, UNAVAILABLE_FORMATS } from '../../pages/availability.ts';
import type { ScrapeFormat, ScrapeOptions } from '../../pages/request.ts';
import { toScreenshot } from '../actions.ts';
import * as field from '../scrape.ts';

const MADE = ['markdown', 'html', 'rawHtml', 'links', 'screenshot'] as const satisfies readonly ScrapeFormat[];

/** The options of a page in version 1, for a scrape and for each page of a batch. */
export const scrapeOptionFields = {
  ...field.sharedOptions,
  formats: z
    .array(z.enum([...MADE, 'screenshot@fullPage', ...UNAVAILABLE_FORMATS]))
    .max(50)
    .default(['markdown']),
  maxAge: z.int().min(0).default(0).describe('Accept a cached copy younger than this, in milliseconds'),
  skipTlsVerification: z.boolean().default(false),
  timeout: z.int().min(1).max(300_000).default(30_000),
  parsePDF: z.boolean().optional(),
  extract: z.looseObject({}).optional(),
  jsonOptions: z.looseObject({}).optional(),
  changeTrackingOptions: z.looseObject({}).optional(),
  agent: z.looseObject({}).optional(),
};

type ScrapeOptionsBody = z.infer<z.ZodObject<typeof scrapeOptionFields>>;

/** Converts the options. Throws NOT_AVAILABLE for features that do not exist yet. */
export function toScrapeOptions(body: ScrapeOptionsBody): Omit<ScrapeOptions, 'zeroDataRetention'> {
  if (body.agent !== undefined) throw notAvailable('"agent"', 'browser');
  if (body.extract !== undefined) throw notAvailable('"extract"', 'language model');
  if (body.jsonOptions !== undefined) throw notAvailable('"jsonOptions"', 'language model');
  if (body.changeTrackingOptions !== undefined) throw notAvailable('"changeTrackingOptions"', 'history');

  return {
    ...field.toSharedOptions(body),
    formats: body.formats.map((given) => {
      const name = given === 'screenshot@fullPage' ? 'screenshot' : given;
      requireAvailable<(typeof MADE)[number]>(name);
      return name;
    }),
    attributes: [],
    screenshot: readScreenshot(body.formats),
    onlyCleanContent: false,
    verifyTls: !body.skipTlsVerification,
    timeout: body.timeout,
    maxAge: body.maxAge,
    minAge: undefined,
    lockdown: false,
    redactPII: undefined,
  };
}

function readScreenshot(formats: ScrapeOptionsBody['formats']): ScrapeOptions['screenshot'] {
  const isFullPage = formats.includes('screenshot@fullPage');
  return isFullPage || formats.includes('screenshot') ? toScreenshot({ fullPage: isFullPage }) : undefined;
}
