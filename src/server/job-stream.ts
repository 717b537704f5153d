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

/** Maximum number of streams of one team in one process: each queries the store twice a second. */
const TEAM_STREAMS = 100;
/** Finds connections that broke without a close. */
const PING_MS = 30_000;
/** Unanswered pings before a connection counts as dead. A ping waits behind all data in flight, up to 10 MB. */
const MAX_PINGS = 4;

export interface JobStreams {
  store: Store;
  news: JobNews;
  /** The open streams of this process. */
  streams: RunningWork;
  /** Checks the caller of an open stream again. Throws when the key was revoked or has lost the permission. */
  admitAgain: (request: FastifyRequest) => Promise<void>;
}

export interface StreamedJob {
  /** Throws NOT_FOUND. */
  find: (caller: Caller, id: string) => Promise<StoredJob>;
  /** A status as JSON. */
  toStatus: (job: StoredJob, documents: readonly string[], conclusion: string | null) => string;
  /** The v1 client treats all documents as new when it gets the status of a job a second time. */
  repeatsStatus: boolean;
}

type JobRequest = FastifyRequest<{ Params: { id: string } }>;

/** The stream of a job at the address of its status: the checks before it opens, and the messages after. */
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
      // The last check: nothing is awaited from here until the stream is counted, so that simultaneous requests cannot
      // exceed the limit.
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
          // Clients treat the end as success, whatever the status; they do understand this.
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

/** Ends the open streams; clients go on by polling the status. */
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

/** Resolves when the operating system has the message: at most one waits in this process. */
function send(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ends dead connections, and those whose caller has lost the permission. */
function keepAlive(socket: WebSocket, admitAgain: () => Promise<void>): Disposable {
  let unanswered = 0;
  socket.on('pong', () => {
    unanswered = 0;
  });
  const timer = setInterval(() => {
    unanswered += 1;
    if (unanswered > MAX_PINGS) return socket.terminate();
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
    `Concurrency limit exceeded. A team may watch ${TEAM_STREAMS} jobs at the same time. Close a connection, or poll the status.`,
    { headers: { 'retry-after': '10' } },
  );
}
