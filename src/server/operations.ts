import type { SwaggerTransform } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** The groups of operations in the order of /docs: capabilities as in README.md, then those of the operator. */
export const TAGS = [
  { name: 'scrape', description: 'One page' },
  { name: 'batch', description: 'Many pages as one job' },
  { name: 'crawl', description: 'A whole site as one job' },
  { name: 'map', description: 'The addresses of a site' },
  { name: 'team', description: 'Credits, usage and activity of the team' },
  { name: 'v1', description: 'Version 1, for older clients' },
  { name: 'operator', description: 'Health and metrics; they take no key' },
] as const;

/** Describes an operation from its route, with an id that names it in generated clients. */
export const describeOperation: SwaggerTransform = (document) => {
  const { schema, url } = jsonSchemaTransform(document);
  return { schema: { operationId: operationId(document.route.method, url), ...schema }, url };
};

/**
 * `GET /v2/crawl/:id/errors` is `getCrawlByIdErrors`, `POST /v1/scrape` is `postV1Scrape`. An id is as stable as its
 * path.
 */
function operationId(method: string | string[], url: string): string {
  const words = url
    .replace(/^\/v2\//, '/')
    .replaceAll('/:', '/by-')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return [method].flat().join('').toLowerCase() + words.join('');
}
