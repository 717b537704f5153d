import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { TrawlError } from '../errors.ts';

/** The one shape of a failure on the wire. */
export interface ErrorBody {
  success: false;
  code: string;
  error: string;
  details?: unknown;
}

/** Turns whatever was thrown into a TrawlError: what is not one of ours and not the client's doing is a 500 without internals. */
export function toTrawlError(thrown: unknown): TrawlError {
  if (thrown instanceof TrawlError) return thrown;
  if (!isFastifyError(thrown)) return internalError(thrown);
  if (hasZodFastifySchemaValidationErrors(thrown)) return validationError(thrown.validation, thrown.validationContext);

  switch (thrown.code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new TrawlError(
        'BAD_REQUEST_INVALID_JSON',
        'The body is not valid JSON. Check its quotes, commas and braces.',
      );
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new TrawlError('BAD_REQUEST_INVALID_JSON', 'The body is empty. Send a JSON object.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new TrawlError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Send the body as JSON, with the header "Content-Type: application/json".',
      );
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new TrawlError('REQUEST_TOO_LARGE', 'The body is larger than the limit of 10 MB. Send less at a time.');
  }
  if (thrown.statusCode !== undefined && thrown.statusCode >= 400 && thrown.statusCode < 500) {
    return new TrawlError('BAD_REQUEST', thrown.message);
  }
  return internalError(thrown);
}

export function errorBody(error: TrawlError): ErrorBody {
  const body: ErrorBody = { success: false, code: error.code, error: error.message };
  if (error.details !== undefined) body.details = error.details;
  return body;
}

/** Puts a failure on its request, and what is our own fault into the log with its stack. */
export function noteFailure(thrown: unknown, request: FastifyRequest): TrawlError {
  const error = toTrawlError(thrown);
  if (error.code === 'INTERNAL_ERROR') request.log.error({ err: thrown }, 'request failed');
  request.failure = error.code;
  return error;
}

/** Fastify's error handler: answers in the one shape. */
export function handleError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = noteFailure(thrown, request);
  return reply.code(error.status).headers(error.headers).send(errorBody(error));
}

function isFastifyError(thrown: unknown): thrown is FastifyError {
  return thrown instanceof Error && 'code' in thrown;
}

function internalError(cause: unknown): TrawlError {
  return new TrawlError(
    'INTERNAL_ERROR',
    'Something went wrong inside the service. The log has the cause under this request id.',
    {
      cause,
    },
  );
}

interface SchemaIssue {
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
}

/** One line for people in `error`, every bad field in `details`. */
function validationError(validation: readonly SchemaIssue[], place: string | undefined): TrawlError {
  const details = validation.map((issue) => ({
    path: issue.instancePath.split('/').filter((part) => part !== ''),
    message: issue.message ?? 'is not valid',
  }));
  const lines = details.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  const where = place === 'querystring' ? 'query' : place === 'params' ? 'address' : (place ?? 'request');
  return new TrawlError('BAD_REQUEST', `The ${where} is not valid. ${lines.join('; ')}`, { details });
}
