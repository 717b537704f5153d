import type { Socket } from 'node:net';
import { TrawlError } from '../errors.ts';
import { errorBody } from './shape-error.ts';

/** Milliseconds for a request to arrive. Node's default is five minutes, Fastify's is unlimited. */
export const ARRIVAL_LIMIT = 60_000;

const ANSWERS = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { status: '431 Request Header Fields Too Large', message: 'The request headers are larger than 16 KB.' },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: '408 Request Timeout', message: `The request did not arrive within ${ARRIVAL_LIMIT / 1000} s.` },
  ],
]);

/** Answers input that cannot be parsed as HTTP, in the format of all errors. */
export function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = ANSWERS.get(error.code ?? '') ?? {
    status: '400 Bad Request',
    message: 'The request is not valid HTTP/1.1.',
  };
  const body = JSON.stringify(errorBody(new TrawlError('BAD_REQUEST', message)));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
