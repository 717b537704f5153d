import type { FastifyReply } from 'fastify';
import type { RateState } from '../team/rate-limit.ts';

/**
 * Adds the state of a limit to every response that counts. `X-RateLimit-Reset` is a time in seconds since the epoch, as
 * with GitHub and those who followed it. The IETF draft, whose headers have no X, counts the seconds from now; those
 * are in `Retry-After` when they matter.
 */
export function setRateHeaders(reply: FastifyReply, { limit, remaining, endsAt }: RateState): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', Math.ceil(endsAt / 1000));
}
