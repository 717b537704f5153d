import { z } from 'zod';
import type { MapRequest } from '../map/request.ts';
import * as field from './scrape.ts';

/** What both API versions take for a map, and the command line. */

const DEFAULT_LIMIT = 5_000;
const DEFAULT_TIMEOUT = 60_000;

export const mapFields = {
  url: field.targetUrl,
  search: z.string().max(1_000).optional().describe('Words: the addresses that fit them best come first'),
  includeSubdomains: z.boolean().default(true).describe('Also other hosts under the same domain'),
  timeout: z
    .int()
    .min(1_000)
    .max(300_000)
    .default(DEFAULT_TIMEOUT)
    .describe('Milliseconds for the whole request; what was found by then is the answer'),
  location: field.location,
  threatProtection: field.threatProtection,
  auditMetadata: field.auditMetadata,
  ...field.originFields,
};

/** @param most what a version allows */
export function mapLimit(most: number) {
  return z.int().min(1).max(most).default(DEFAULT_LIMIT).describe('Addresses in the answer, at most');
}

type MapFields = z.infer<z.ZodObject<typeof mapFields>> & { limit: number };

/** The shared fields as the capability takes them. */
export function toMapRequest(body: MapFields) {
  return {
    url: body.url,
    search: body.search,
    includeSubdomains: body.includeSubdomains,
    limit: body.limit,
    timeout: body.timeout,
    location: field.toLocation(body.location),
    threatProtection: body.threatProtection,
  } satisfies Partial<MapRequest>;
}
