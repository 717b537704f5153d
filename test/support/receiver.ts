import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { assertWebhook } from './contract.ts';
import { portOf } from './site.ts';

export interface WebhookEvent {
  success: boolean;
  type: string;
  id: string;
  webhookId: string;
  data: { markdown?: string; rawHtml?: string; warning?: string; metadata: { sourceURL: string } }[];
  metadata: Record<string, unknown>;
  error?: string;
}

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: WebhookEvent;
}

/** The answer to a delivery: a status, or a function, which may be slow. */
export type ReceiverAnswer = (received: Received) => number | Promise<number>;

/** A webhook receiver on loopback. Deliveries are checked against the contract when they are read. */
export interface Receiver extends AsyncDisposable {
  url(path?: string): string;
  /** Every delivery to this path so far, in order, including those answered with a failure. */
  received(path?: string): Received[];
  /** Waits until this many deliveries have arrived at the path, or until `enough` is satisfied. */
  until(enough: number | ((received: Received[]) => boolean), path?: string): Promise<Received[]>;
  /** Sets the answer of this path from now on. The default is 200. */
  answer(answer: number | ReceiverAnswer, path?: string): void;
}

export async function startReceiver(): Promise<Receiver> {
  const all: Received[] = [];
  const answers = new Map<string, ReceiverAnswer>();
  let news = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { url: path = '', headers } = request;
    const received = { path, headers, body, event: JSON.parse(body) };
    all.push(received);
    news.resolve();
    news = Promise.withResolvers();
    const status = await (answers.get(path) ?? (() => 200))(received);
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('thank you');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const receivedAt = (path: string) => {
    const found = all.filter((one) => one.path === path);
    for (const { event } of found) assertWebhook(event.type, event);
    return found;
  };
  return {
    url: (path = '/') => `http://127.0.0.1:${portOf(server)}${path}`,
    received: (path = '/') => receivedAt(path),
    async until(enough, path = '/') {
      for (;;) {
        const next = news.promise;
        const received = receivedAt(path);
        if (typeof enough === 'number' ? received.length >= enough : enough(received)) return received;
        await next;
      }
    },
    answer(answer, path = '/') {
      answers.set(path, typeof answer === 'number' ? () => answer : answer);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Fails unless both kinds of signatures are correct, by an independent check. */
export function assertSigned({ headers, body, event }: Received, secret: string): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  assert.equal(id, event.webhookId);
  assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 3_600, String(timestamp));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  assert.equal(key.length, 32);
  assert.equal(signature, `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  assert.equal(headers['x-firecrawl-signature'], `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
}

/** Event types without the kind of job, each with the address of its page if it has one. */
export function told(received: readonly Received[]): string[] {
  return received.map(({ event: { type, data } }) =>
    [type.replace(/^\w+\./, ''), ...data.map(({ metadata }) => metadata.sourceURL)].join(' '),
  );
}
