import type { FastifyReply } from 'fastify';

/** Aborts when the client hangs up before its answer is written: nobody waits for the work any more. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client hung up'));
  });
  return controller.signal;
}
