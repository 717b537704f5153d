import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { TrawlError } from '../errors.ts';
import type { JobNews } from '../jobs/job-news.ts';
import { type JobMessage, watchJob } from '../jobs/watch-job.ts';
import type { StoredJob } from '../store/operations/jobs/read-job.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from '../team/keys.ts';
import type { RunningWork } from '../team/running.ts';
import { callerOf } from './authentication.ts';
import { CLOSED, closeSocket, closeSoon, sendError } from './close-socket.ts';
import { logFields, roundMs } from './log-fields.ts';
import { toTrawlError } from './shape-error.ts';

/** Streams of one team at the same time in one process: each looks into the store twice a second. */
const TEAM_STREAMS = 100;
/** A connection that was cut off without a word is found by this. */
const PING_MS = 30_000;
/** Pings that may go without an answer: one waits behind whatever is on its way, up to 10 MB. */
const MOST_PINGS = 4;

export interface JobStreams {
  store: Store;
  news: JobNews;
  /** Streams that are open in this process. */
  streams: RunningWork;
  /** Admits the caller of an open stream once more. Throws when the key was revoked, or may not do this any more. */
  admitAgain: (request: FastifyRequest) => Promise<void>;
}

export interface StreamedJob {
  /** Throws NOT_FOUND. */
  find: (caller: Caller, id: string) => Promise<StoredJob>;
  /** A status as JSON. */
  toStatus: (job: StoredJob, documents: readonly string[], conclusion: string | null) => string;
  /** The v1 client takes all documents for new ones when it is told a second time where a job stands. */
  repeatsStatus: boolean;
}

type JobRequest = FastifyRequest<{ Params: { id: string } }>;

/** The stream of a job at the address of its status: what has to be known before it opens, and what happens then. */
export function jobStream(
  { store, news, streams, admitAgain }: JobStreams,
  { find, toStatus, repeatsStatus }: StreamedJob,
) {
  return {
    /** Refuses before the stream opens. */
    async preHandler(request: JobRequest): Promise<void> {
      if (!request.ws) return;
      const caller = callerOf(request);
      await find(caller, request.params.id);
      // Last: from here to where it is counted nothing is waited for, so that of many at once none slips through.
      if (streams.count(caller.teamId) >= TEAM_STREAMS) throw tooManyStreams();
    },

    async wsHandler(socket: WebSocket, request: JobRequest): Promise<void> {
      const caller = callerOf(request);
      using _counted = streams.begin(caller.teamId);
      const gone = new AbortController();
      const openedAt = performance.now();
      request.log.info({ ...logFields(request), status: 101 }, 'stream opened');
      socket.once('close', (closeCode: number) => {
        gone.abort();
        const ms = roundMs(performance.now() - openedAt);
        request.log.info({ ...logFields(request), closeCode, ms, code: request.failure ?? undefined }, 'stream closed');
      });
      using _alive = keepAlive(socket, () => admitAgain(request));
      try {
        const watch = { store, news, find: () => find(caller, request.params.id) };
        for await (const message of watchJob(watch, gone.signal)) {
          const { job } = { job: null, ...message };
          // Clients take the end for success, whatever its status; this they understand.
          if (message.type === 'done' && job?.status === 'cancelled' && repeatsStatus) {
            await send(socket, toText({ ...message, type: 'catchup', documents: [] }, toStatus));
          }
          await send(socket, toText(message, toStatus));
        }
        closeSocket(socket, CLOSED.done);
      } catch (thrown) {
        if (gone.signal.aborted) return;
        const error = toTrawlError(thrown);
        request.failure = error.code;
        if (error.code === 'INTERNAL_ERROR') request.log.error({ err: thrown }, 'a stream failed');
        sendError(socket, error.message);
        closeSocket(socket, CLOSED.failed);
      }
    },
  };
}

/** Ends the streams that are open; clients go on by asking for the status. */
export function endStreams(sockets: Iterable<WebSocket>): void {
  for (const socket of sockets) closeSoon(socket, CLOSED.goingAway);
}

function toText(message: JobMessage, toStatus: StreamedJob['toStatus']): string {
  switch (message.type) {
    case 'catchup':
      return `{"type":"catchup","data":${toStatus(message.job, message.documents, null)}}`;
    case 'document':
      return `{"type":"document","data":${message.document}}`;
    case 'done':
      return `{"type":"done","data":${toStatus(message.job, [], message.conclusion)}}`;
  }
}

/** Resolves when the system has taken it: no more than one message waits in this process. */
function send(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ends connections that are dead, and those whose caller may not have them any more. */
function keepAlive(socket: WebSocket, admitAgain: () => Promise<void>): Disposable {
  let unanswered = 0;
  socket.on('pong', () => {
    unanswered = 0;
  });
  const timer = setInterval(() => {
    unanswered += 1;
    if (unanswered > MOST_PINGS) return socket.terminate();
    socket.ping();
    admitAgain().catch((error: unknown) => {
      const isRefused = error instanceof TrawlError && (error.status === 401 || error.status === 403);
      if (isRefused) closeSocket(socket, CLOSED.notAllowed);
    });
  }, PING_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function tooManyStreams(): TrawlError {
  return new TrawlError(
    'CONCURRENCY_LIMIT_EXCEEDED',
    `Concurrency limit exceeded. A team may watch ${TEAM_STREAMS} jobs at the same time. Close a connection, or ask for the status.`,
    { headers: { 'retry-after': '10' } },
  );
}
