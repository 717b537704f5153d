import websocket from '@fastify/websocket';
import type { Metrics } from '../service/metrics.ts';
import { RunningWork } from '../team/running.ts';
import { endStreams } from './job-stream.ts';
import { asksForStream, markStream, RefusedStreams } from './refused-streams.ts';
import type { RecordRequest } from './request-log.ts';
import { handleError, noteFailure } from './shape-error.ts';
import type { App } from './types.ts';

/** Lets routes open WebSockets. Returns the open ones by team. */
export async function openStreams(app: App, metrics: Metrics): Promise<RunningWork> {
  app.addHook('onRoute', markStream);
  // Clients send only pongs on a stream.
  await app.register(websocket, {
    options: { maxPayload: 1024 },
    preClose(done) {
      endStreams(this.websocketServer.clients);
      this.websocketServer.close();
      done();
    },
  });
  const streams = new RunningWork();
  metrics.watchStreams(() => streams.total);
  return streams;
}

/** Sends all errors in one format, on a WebSocket if the request asks for one. */
export function answerErrors(app: App, record: RecordRequest): void {
  const refused = new RefusedStreams();
  app.setErrorHandler((thrown, request, reply) => {
    if (!asksForStream(request)) return handleError(thrown, request, reply);
    const error = noteFailure(thrown, request);
    refused.refuse(app.websocketServer, request, reply, error);
    record(request, { status: error.status, ms: reply.elapsedTime });
    return;
  });
}
