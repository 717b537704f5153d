import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { TrawlError } from '../errors.ts';

/** A response lists this many problems. A body can have thousands. */
const MAX_DETAILS = 20;
/** The longest message, and the longest name in a path, in characters. Both can quote the request. */
const MAX_MESSAGE = 1_000;
const MAX_NAME = 100;

const PLACES: Readonly<Record<string, string>> = { querystring: 'query', params: 'address' };

/** Validates input with zod. The error for invalid input is a BAD_REQUEST of bounded size. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart = 'request' }) =>
  (data) => {
    const read = schema.safeParse(data);
    return read.success ? { value: read.data } : { error: invalidInput(httpPart, read.error.issues) };
  };

/** One readable line in `error`, and the bad fields in `details`. */
function invalidInput(place: string, issues: readonly z.core.$ZodIssue[]): TrawlError {
  const details = issues.slice(0, MAX_DETAILS).map(({ path, message }) => ({
    path: path.map((part) => shorten(String(part), MAX_NAME)),
    message: shorten(message, MAX_MESSAGE),
  }));
  const lines = details.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  const more = issues.length - details.length;
  if (more > 0) lines.push(`and ${more} more ${more === 1 ? 'problem' : 'problems'}`);
  return new TrawlError('BAD_REQUEST', `The ${PLACES[place] ?? place} is not valid. ${lines.join('; ')}`, { details });
}

function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}…`;
}
