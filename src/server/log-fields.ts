import type { FastifyReply, FastifyRequest } from 'fastify';

/** The pattern of the route: an address can hold what nobody else may know. */
export function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'unknown';
}

/** What the log tells of a request, whatever becomes of it. */
export function logFields(request: FastifyRequest) {
  return { method: request.method, route: routeOf(request), keyId: request.caller?.keyId };
}

/** The length of the body; undefined when it is sent as it is made. */
export function sentBytes(reply: FastifyReply): number | undefined {
  const length = Number(reply.getHeader('content-length'));
  return Number.isNaN(length) ? undefined : length;
}

/** Milliseconds to a tenth. */
export function roundMs(elapsed: number): number {
  return Math.round(elapsed * 10) / 10;
}
