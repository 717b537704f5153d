import { z } from 'zod';
import { notAvailable, requireAvailable, UNAVAILABLE_FORMATS } from '../../scrape/availability.ts';
import type { ScrapeFormat, ScrapeRequest } from '../../scrape/request.ts';
import { scrape } from '../../scrape/scrape.ts';
import type { ScrapeServices } from '../../scrape/services.ts';
import { callerOf } from '../authentication.ts';
import { clientGone } from '../client-gone.ts';
import { bearer, failures, scrapeAnswer } from '../documentation.ts';
import * as field from '../scrape-fields.ts';
import type { App } from '../types.ts';

const MADE = ['markdown', 'html', 'rawHtml', 'links'] as const satisfies readonly ScrapeFormat[];

const scrapeBody = z.strictObject({
  url: field.targetUrl,
  formats: z
    .array(z.enum([...MADE, ...UNAVAILABLE_FORMATS]))
    .max(50)
    .default(['markdown']),
  onlyMainContent: z.boolean().default(true),
  includeTags: field.includeTags,
  excludeTags: field.excludeTags,
  maxAge: z.int().min(0).default(0).describe('Serve a stored copy younger than this, in milliseconds'),
  headers: field.headers,
  waitFor: field.waitFor,
  mobile: z.boolean().default(false),
  skipTlsVerification: z.boolean().default(false),
  timeout: z.int().min(1).max(300_000).default(30_000),
  parsePDF: z.boolean().optional(),
  extract: z.looseObject({}).optional(),
  jsonOptions: z.looseObject({}).optional(),
  changeTrackingOptions: z.looseObject({}).optional(),
  agent: z.looseObject({}).optional(),
  actions: field.actions,
  location: field.location,
  removeBase64Images: z.boolean().default(true),
  blockAds: z.boolean().default(true),
  proxy: field.proxy,
  storeInCache: z.boolean().default(true),
  threatProtection: field.threatProtection,
  auditMetadata: field.auditMetadata,
  zeroDataRetention: z.boolean().default(false),
  origin: field.origin,
  integration: field.integration,
});

export function v1Scrape(app: App, services: ScrapeServices): void {
  app.post(
    '/v1/scrape',
    {
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
      const data = await scrape(services, {
        caller: callerOf(request),
        request: toScrapeRequest(body),
        origin: {
          origin: body.origin,
          integration: body.integration ?? undefined,
          auditUsername: body.auditMetadata?.username,
        },
        cancelled: clientGone(reply),
      });
      return { success: true as const, data };
    },
  );
}

function toScrapeRequest(body: z.infer<typeof scrapeBody>): ScrapeRequest {
  if (body.actions !== undefined && body.actions.length > 0) throw notAvailable('"actions"', 'browser');
  if (body.waitFor !== undefined && body.waitFor > 0) throw notAvailable('"waitFor"', 'browser');
  if (body.agent !== undefined) throw notAvailable('"agent"', 'browser');
  if (body.extract !== undefined) throw notAvailable('"extract"', 'language model');
  if (body.jsonOptions !== undefined) throw notAvailable('"jsonOptions"', 'language model');
  if (body.changeTrackingOptions !== undefined) throw notAvailable('"changeTrackingOptions"', 'history');

  return {
    url: body.url,
    formats: body.formats.map((name) => {
      requireAvailable<(typeof MADE)[number]>(name);
      return name;
    }),
    attributes: [],
    onlyMainContent: body.onlyMainContent,
    onlyCleanContent: false,
    includeTags: body.includeTags ?? [],
    excludeTags: body.excludeTags ?? [],
    removeBase64Images: body.removeBase64Images,
    blockAds: body.blockAds,
    headers: body.headers ?? {},
    mobile: body.mobile,
    location: field.toLocation(body.location),
    verifyTls: !body.skipTlsVerification,
    proxy: field.toProxyMode(body.proxy),
    timeout: body.timeout,
    maxAge: body.maxAge,
    minAge: undefined,
    storeInCache: body.storeInCache,
    lockdown: false,
    zeroDataRetention: body.zeroDataRetention,
    redactPII: undefined,
    threatProtection: body.threatProtection,
  };
}
