import type { FastifyReply } from 'fastify';
import { nextAddress } from '../contract/jobs.ts';
import type { JobKindOnTheWire } from '../jobs/job-kind.ts';
import type { JobStatus } from '../jobs/job-report.ts';

/** @param address the address of the status, from which `next` is built */
export function sendStatus(
  reply: FastifyReply,
  wire: JobKindOnTheWire,
  { job, documents, conclusion, next }: JobStatus,
  address: string,
  limit: number | undefined,
): FastifyReply {
  const text = wire.status(job, documents, conclusion, nextAddress(address, next, limit));
  return reply.type('application/json; charset=utf-8').serializer(String).send(text);
}
