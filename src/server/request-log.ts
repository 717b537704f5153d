import type { FastifyRequest } from 'fastify';
import type { Metrics } from '../service/metrics.ts';
import { logFields, roundMs, routeOf, sentBytes } from './log-fields.ts';
import type { App } from './types.ts';

/** What is recorded about a response. */
export interface Answered {
  status: number;
  ms: number;
  /** Undefined when the body was sent without changes. */
  bytes?: number | undefined;
}

/** Writes the log line of a request, and counts it. */
export type RecordRequest = (request: FastifyRequest, answered: Answered) => void;

/** Records every response. Returns a function that records a response that bypasses Fastify. */
export function logRequests(app: App, metrics: Metrics): RecordRequest {
  const record: RecordRequest = (request, { status, ms, bytes }) => {
    metrics.countRequest(request.method, routeOf(request), status, ms);
    const code = request.failure ?? undefined;
    if (code !== undefined) metrics.countFailure(code);
    request.log.info({ ...logFields(request), status, ms: roundMs(ms), bytes, code }, 'request');
  };
  app.addHook('onResponse', async (request, reply) => {
    record(request, { status: reply.statusCode, ms: reply.elapsedTime, bytes: sentBytes(reply) });
  });
  return record;
}
