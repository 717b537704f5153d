import type { FastifyReply } from 'fastify';
import { TrawlError } from '../errors.ts';

/** Aborts when the client disconnects before its response is written, because then the work is useless. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new TrawlError('REQUEST_CANCELLED', 'The client disconnected.'));
  });
  return controller.signal;
}
