import type { FastifyReply } from 'fastify';
import type { RateState } from '../team/rate-limit.ts';

/**
 * Tells how a limit stands, on every answer that counts. `X-RateLimit-Reset` is the moment in seconds since the epoch, as
 * with GitHub and those who followed it; the IETF's draft, whose headers have no X, counts the seconds from now, and
 * those are in `Retry-After` when they matter.
 */
export function setRateHeaders(reply: FastifyReply, { limit, remaining, endsAt }: RateState): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', Math.ceil(endsAt / 1000));
}
