import type { FastifyReply, FastifyRequest } from 'fastify';
import { TrawlError } from '../errors.ts';
import { handleError, toTrawlError } from './shape-error.ts';

/**
 * The error handler of a report. Section 4.1 of the specification wants a 500 that names the report for every failure
 * on our side, including the store. Everywhere else an unreachable store is a 503.
 */
export function failsAs(report: string) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toTrawlError(thrown);
    if (error.status < 500) return handleError(error, request, reply);
    const message = `An internal failure while fetching the ${report}. Try again later; the log has the cause under this request id.`;
    return handleError(new TrawlError('INTERNAL_ERROR', message, { cause: thrown }), request, reply);
  };
}
