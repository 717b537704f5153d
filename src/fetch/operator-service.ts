import { TrawlError } from '../errors.ts';
import { createEgressGuard } from './egress/egress-guard.ts';
import { exchange } from './exchange.ts';
import { isRedirect } from './redirect.ts';
import { directRoute } from './route.ts';

/** The connection to one service that the operator has configured. */
export interface OperatorService {
  /**
   * Posts text to an address below the configured one, with the interface that client libraries expect. Redirects are
   * refused: they would forward the key of the service.
   * @throws TrawlError SCRAPE_*, or the reason of the signal
   */
  fetch: typeof globalThis.fetch;
  /** Ends its connections. */
  close(): Promise<void>;
}

/** The operator decides where the service is: it may be on this machine or in a private network. */
export const EVERYWHERE = ['0.0.0.0/0', '::/0'];

/**
 * @param base without a trailing slash
 * @param maxBodyBytes largest response
 */
export function operatorService(base: string, maxBodyBytes: number): OperatorService {
  const route = directRoute(createEgressGuard(EVERYWHERE));
  const { href: root } = new URL(`${base}/`);
  return {
    async fetch(address, { headers, body, signal } = {}) {
      const url = new URL(address instanceof Request ? address.url : address);
      if (!url.href.startsWith(root)) throw new Error(`${url.href} is not below ${root}.`);
      if (typeof body !== 'string') throw new Error('Only text is posted.');
      await route.check(url);
      const answer = await exchange(route, {
        url,
        method: 'POST',
        headers: [...new Headers(headers)].flat(),
        body,
        verifyTls: true,
        maxBodyBytes,
        share: root,
        signal: signal ?? new AbortController().signal,
      });
      if (isRedirect(answer.status, answer.headers))
        throw badAnswer(url, 'it redirects, and redirects are not followed');
      if (answer.cutShort) throw badAnswer(url, 'it broke off the response');
      const { status } = answer;
      return new Response(answer.body.length === 0 ? null : answer.body, { status, headers: flat(answer.headers) });
    },
    close: () => route.close(),
  };
}

function flat(headers: Record<string, string | string[] | undefined>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}

function badAnswer(url: URL, problem: string): TrawlError {
  return new TrawlError('SCRAPE_BAD_RESPONSE', `The response of ${url.host} cannot be read: ${problem}.`);
}
