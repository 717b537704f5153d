import type { FastifyReply, FastifyRequest } from 'fastify';

/** The pattern of the route: the address itself can contain secrets. */
export function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'unknown';
}

/** The log fields of every request, whatever its outcome. */
export function logFields(request: FastifyRequest) {
  return { method: request.method, route: routeOf(request), keyId: request.caller?.keyId };
}

/** The length of the body; undefined when it is sent unchanged. */
export function sentBytes(reply: FastifyReply): number | undefined {
  const length = Number(reply.getHeader('content-length'));
  return Number.isNaN(length) ? undefined : length;
}

/** Milliseconds, rounded to a tenth. */
export function roundMs(elapsed: number): number {
  return Math.round(elapsed * 10) / 10;
}
