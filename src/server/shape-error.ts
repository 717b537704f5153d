import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { TrawlError } from '../errors.ts';

/** The format of every error response. */
export interface ErrorBody {
  success: false;
  code: string;
  error: string;
  details?: unknown;
}

/**
 * Turns whatever was thrown into a TrawlError. Errors that are neither ours nor the client's fault become a 500 without
 * internals.
 */
export function toTrawlError(thrown: unknown): TrawlError {
  if (thrown instanceof TrawlError) return thrown;
  if (!isFastifyError(thrown)) return internalError(thrown);

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

/** When a body is too large, up to this many bytes are read and dropped, so that the client sees the response. */
const MAX_DROPPED = 16 * 1024 * 1024;

/** Records an error on its request, and logs our own faults with their stack. */
export function noteFailure(thrown: unknown, request: FastifyRequest): TrawlError {
  const error = isBodyTooLarge(thrown) ? bodyTooLarge(request.routeOptions.bodyLimit) : toTrawlError(thrown);
  if (error.code === 'INTERNAL_ERROR') request.log.error({ err: thrown }, 'request failed');
  request.failure = error.code;
  return error;
}

/** Fastify's error handler: responds in the usual format. */
export function handleError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = noteFailure(thrown, request);
  // Fastify would close the connection, and a client that is still sending could lose the response. Without that header
  // Node reads and drops the rest of the body.
  if (isBodyTooLarge(thrown) && Number(request.headers['content-length']) <= MAX_DROPPED) {
    reply.removeHeader('connection');
  }
  return reply.code(error.status).headers(error.headers).send(errorBody(error));
}

function isFastifyError(thrown: unknown): thrown is FastifyError {
  return thrown instanceof Error && 'code' in thrown;
}

function isBodyTooLarge(thrown: unknown): boolean {
  return isFastifyError(thrown) && thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/** @param limit the limit of the route in bytes */
function bodyTooLarge(limit: number): TrawlError {
  const size = limit < 1024 * 1024 ? `${limit / 1024} KB` : `${limit / 1024 / 1024} MB`;
  return new TrawlError('REQUEST_TOO_LARGE', `The body is larger than the limit of ${size}. Send less at a time.`);
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
