import { z } from 'zod';
import { notAvailable, requireAvailable, UNAVAILABLE_FORMATS } from '../../scrape/availability.ts';
import type { ScrapeFormat, ScrapeRequest } from '../../scrape/request.ts';
import { scrape } from '../../scrape/scrape.ts';
import type { ScrapeServices } from '../../scrape/services.ts';
import { inPlace } from '../../team/concurrency.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import { bearer, failures, scrapeAnswer } from '../documentation.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';

const MADE = ['markdown', 'html', 'rawHtml', 'links'] as const satisfies readonly ScrapeFormat[];

const scrapeBody = z.strictObject({
  ...field.sharedFields,
  ...field.sharedOptions,
  formats: z
    .array(z.enum([...MADE, ...UNAVAILABLE_FORMATS]))
    .max(50)
    .default(['markdown']),
  maxAge: z.int().min(0).default(0).describe('Serve a stored copy younger than this, in milliseconds'),
  skipTlsVerification: z.boolean().default(false),
  timeout: z.int().min(1).max(300_000).default(30_000),
  parsePDF: z.boolean().optional(),
  extract: z.looseObject({}).optional(),
  jsonOptions: z.looseObject({}).optional(),
  changeTrackingOptions: z.looseObject({}).optional(),
  agent: z.looseObject({}).optional(),
});

export function v1Scrape(app: App, services: ScrapeServices): void {
  app.post(
    '/v1/scrape',
    {
      config: { endpointGroup: 'scrape', rateGroup: 'scrape' },
      schema: {
        summary: 'Scrape one page (version 1, for older clients)',
        tags: ['v1'],
        security: bearer,
        body: scrapeBody,
        response: { 200: scrapeAnswer, ...failures },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const call = {
        caller: callerOf(request),
        request: toScrapeRequest(body),
        origin: field.toRequestOrigin('v1', body),
        cancelled: clientGone(reply),
      };
      const data = await inPlace(services.store.limits, call.caller, () => scrape(services, call));
      return { success: true as const, data };
    },
  );
}

function toScrapeRequest(body: z.infer<typeof scrapeBody>): ScrapeRequest {
  if (body.agent !== undefined) throw notAvailable('"agent"', 'browser');
  if (body.extract !== undefined) throw notAvailable('"extract"', 'language model');
  if (body.jsonOptions !== undefined) throw notAvailable('"jsonOptions"', 'language model');
  if (body.changeTrackingOptions !== undefined) throw notAvailable('"changeTrackingOptions"', 'history');

  return {
    ...field.toSharedOptions(body),
    url: body.url,
    formats: body.formats.map((name) => {
      requireAvailable<(typeof MADE)[number]>(name);
      return name;
    }),
    attributes: [],
    onlyCleanContent: false,
    verifyTls: !body.skipTlsVerification,
    timeout: body.timeout,
    maxAge: body.maxAge,
    minAge: undefined,
    lockdown: false,
    zeroDataRetention: body.zeroDataRetention,
    redactPII: undefined,
  };
}
