import type { FastifyReply } from 'fastify';
import { nextAddress, statusText } from '../contract/jobs.ts';
import type { JobStatus } from '../jobs/job-report.ts';

/** @param address of the status, to which `next` leads */
export function sendStatus(
  reply: FastifyReply,
  { job, documents, next }: JobStatus,
  address: string,
  limit: number | undefined,
): FastifyReply {
  const text = statusText(job, documents, nextAddress(address, next, limit));
  return reply.type('application/json; charset=utf-8').serializer(String).send(text);
}
