import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { MAX_HEADER_BYTES } from '../connect.ts';
import { bareHost } from '../egress/egress-guard.ts';
import { portOf } from '../port-of.ts';
import { isDeadConnection } from '../transport-error.ts';
import type { Exit } from './exit.ts';
import { endToEnd } from './hop-headers.ts';
import type { PlainAgents } from './plain-agents.ts';

/**
 * Passes on a plain request in absolute form (RFC 9112 section 3.2.2). `Upgrade` is not passed on: browsers use tunnels
 * for WebSockets. A refused request gets no answer, so that for the page it fails as any unreachable address does, and
 * is never read as a page.
 */
export async function forward(
  exit: Exit,
  agents: PlainAgents,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? '');
  if (url === null || url.protocol !== 'http:' || url.username !== '' || url.password !== '') {
    response.writeHead(400, { connection: 'close' }).end();
    return;
  }
  const fail = (error: unknown) => {
    exit.refuse(url, error);
    response.destroy();
  };
  try {
    await exit.admit(url);
  } catch (error) {
    fail(error);
    return;
  }
  send(exit, agents, { url, request, response, fail });
}

interface Exchange {
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
  /** Ends it without an answer. */
  fail: (error: unknown) => void;
}

function send(exit: Exit, agents: PlainAgents, exchange: Exchange): void {
  const { url, request, response, fail } = exchange;
  if (response.destroyed) return;
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  const outgoing = httpRequest({
    // A body cannot be sent again when the kept connection turns out to be closed.
    agent: hasBody ? agents.once : agents.kept,
    host: bareHost(url.hostname),
    port: portOf(url),
    method: request.method,
    path: exit.plainHttp.target(url),
    headers: requestHeaders(exit, url, request),
    setDefaultHeaders: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  let answered = false;
  const abandon = () => outgoing.destroy();
  response.once('close', abandon);
  outgoing.on('continue', () => response.writeContinue());
  outgoing.on('response', (answer) => {
    answered = true;
    try {
      exit.checkAnswer(url, answer.statusCode ?? 0);
      exit.refusals.clear(url);
      passOn(exit, answer, response);
    } catch (error) {
      fail(error);
    }
  });
  outgoing.on('error', (error) => {
    if (answered || response.destroyed) {
      response.destroy();
      return;
    }
    response.off('close', abandon);
    // The server closed a kept connection just when it was used again.
    if (outgoing.reusedSocket && !hasBody && isDeadConnection(error)) send(exit, agents, exchange);
    else fail(error);
  });
  request.on('data', ({ length }: Buffer) => exit.traffic.add(length));
  request.pipe(outgoing);
}

function requestHeaders({ plainHttp }: Exit, url: URL, { headers, rawHeaders }: IncomingMessage): string[] {
  const own = endToEnd(rawHeaders, headers.connection);
  const others: string[] = [];
  for (let i = 0; i + 1 < own.length; i += 2) {
    const [name = '', value = ''] = own.slice(i, i + 2);
    // RFC 9112 section 3.2.2: the address says which host is meant.
    if (name.toLowerCase() !== 'host') others.push(name, value);
  }
  const framing = headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];
  return ['Host', url.host, 'Connection', 'keep-alive', ...others, ...framing, ...plainHttp.headers];
}

function passOn({ traffic }: Exit, answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage = '', rawHeaders, headers } = answer;
  response.sendDate = false;
  response.writeHead(statusCode, statusMessage, endToEnd(rawHeaders, headers.connection));
  traffic.add(rawHeaders.reduce((sum, { length }) => sum + length, 0));
  answer.on('data', ({ length }: Buffer) => traffic.add(length));
  // A body that breaks off must not look whole.
  answer.once('close', () => {
    if (!answer.complete) response.destroy();
  });
  answer.on('error', () => response.destroy());
  answer.pipe(response);
}
