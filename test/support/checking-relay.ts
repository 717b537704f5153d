import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { assertContract } from './contract.ts';
import { portOf } from './site.ts';

export interface CheckingRelay extends AsyncDisposable {
  address: string;
  /** The number of answers checked so far. */
  checked(): number;
  /** The body of the last answer, which some clients keep to themselves. */
  lastAnswer(): string;
}

/**
 * A relay between an unmodified client and the service that checks every answer against the contract. An answer that
 * breaks it becomes a 599 with the reason, which the client reports.
 */
export async function startCheckingRelay(target: string): Promise<CheckingRelay> {
  let checked = 0;
  let lastAnswer = '';
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const answer = await fetch(target + url, {
      method,
      headers: Object.fromEntries(
        ['content-type', 'authorization', 'x-idempotency-key'].flatMap((name) => {
          const value = headers[name];
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      ),
      ...(body.length === 0 ? {} : { body }),
    });
    const text = await answer.text();
    lastAnswer = text;
    try {
      assertContract(method, url, answer.status, JSON.parse(text));
      checked += 1;
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
    } catch (error) {
      response.writeHead(599, { 'content-type': 'application/json' }).end(JSON.stringify({ error: String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${portOf(server)}`,
    checked: () => checked,
    lastAnswer: () => lastAnswer,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
