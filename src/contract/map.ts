import { z } from 'zod';
import type { MapRequest } from '../map/request.ts';
import * as field from './scrape.ts';

/** The fields of a map that both API versions and the command line share. */

const DEFAULT_LIMIT = 5_000;
const DEFAULT_TIMEOUT = 60_000;

export const mapFields = {
  url: field.targetUrl,
  search: z.string().max(1_000).optional().describe('Search words; the best matches come first'),
  includeSubdomains: z.boolean().default(true).describe('Include other hosts under the same domain'),
  timeout: z
    .int()
    .min(1_000)
    .max(300_000)
    .default(DEFAULT_TIMEOUT)
    .describe('Time limit of the whole request in milliseconds; the response has what was found by then'),
  location: field.location,
  threatProtection: field.threatProtection,
  auditMetadata: field.auditMetadata,
  ...field.originFields,
};

/** @param max the limit of the version */
export function mapLimit(max: number) {
  return z.int().min(1).max(max).default(DEFAULT_LIMIT).describe('Maximum number of addresses in the response');
}

type MapFields = z.infer<z.ZodObject<typeof mapFields>> & { limit: number };

/** Converts the shared fields to map options. */
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
