import type { Impit, ImpitResponse } from 'impit';
import { TrawlError } from '../../errors.ts';
import { connections } from '../connections.ts';
import { type Answer, type Exchange, largeBodies, type ResponseHeaders, tooLarge, tooSlow } from '../exchange.ts';
import { USUAL_BODY_BYTES } from '../large-bodies.ts';
import { isRedirect } from '../redirect.ts';
import type { EgressProxy } from '../types.ts';
import type { ImpitModule } from './load-impit.ts';

/** The newest Chrome that impit knows. */
const BROWSER = 'chrome151';

/** One request with the TLS and HTTP/2 of Chrome, through the proxy, which applies the egress guard. */
export function impersonatedExchange({ Impit }: ImpitModule, proxy: EgressProxy): Exchange {
  let client: Impit | undefined;
  return async (_route, { url, headers, verifyTls, maxBodyBytes, signal, share }) => {
    using _connection = await connections.enter(url.origin, share, signal);
    client ??= new Impit({
      browser: BROWSER,
      proxyUrl: proxy.address,
      ignoreTlsErrors: !verifyTls,
      followRedirects: false,
    });
    // Aborting it also frees what arrives after an early end.
    const stop = new AbortController();
    try {
      const response = await client.fetch(url.href, {
        headers: pairs(headers),
        signal: AbortSignal.any([signal, stop.signal]),
      });
      const { status } = response;
      const sent = plainHeaders(response.headers);
      if (maxBodyBytes === null || isRedirect(status, sent)) return answer(status, sent, Buffer.of());
      return await withBody(response, sent, { url, maxBodyBytes, signal, share });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof TrawlError ? error : (proxy.refusal(url) ?? fromImpit(error, url));
    } finally {
      stop.abort();
    }
  };
}

function answer(status: number, headers: ResponseHeaders, body: Buffer, cutShort = false): Answer {
  return { status, headers, body, cutShort, isPart: false };
}

async function withBody(
  { status, body }: ImpitResponse,
  headers: ResponseHeaders,
  { url, maxBodyBytes, signal, share }: { url: URL; maxBodyBytes: number; signal: AbortSignal; share: string },
): Promise<Answer> {
  const tooSlowAt = new AbortController();
  using memory = largeBodies.open(share, () => tooSlowAt.abort(tooSlow(url)));
  const ended = AbortSignal.any([signal, tooSlowAt.signal]);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBodyBytes) throw tooLarge(url, maxBodyBytes);
      chunks.push(chunk);
      if (size > USUAL_BODY_BYTES) await untilGranted((onGranted) => memory.grow(size, onGranted), ended);
      ended.throwIfAborted();
    }
  } catch (error) {
    ended.throwIfAborted();
    if (error instanceof TrawlError || size === 0) throw error;
    return answer(status, headers, Buffer.concat(chunks), true);
  }
  return answer(status, headers, Buffer.concat(chunks));
}

/** The rest of the body is not read meanwhile: its sender has to wait, too. */
async function untilGranted(request: (onGranted: () => void) => boolean, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  if (request(resolve)) return;
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function pairs(flat: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) list.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return list;
}

/** The body is already decoded. */
function plainHeaders(headers: Headers): ResponseHeaders {
  const plain: ResponseHeaders = Object.fromEntries(headers);
  delete plain['content-encoding'];
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) plain['set-cookie'] = cookies;
  return plain;
}

function fromImpit(cause: unknown, { host }: URL): TrawlError {
  const message = cause instanceof Error ? cause.message : '';
  if (/certificate|InvalidContentType|HandshakeFailure|\btls\b/i.test(message)) {
    return new TrawlError('SCRAPE_SSL_ERROR', `No secure connection to ${host}.`, { cause });
  }
  return new TrawlError('SCRAPE_CONNECTION_ERROR', `No response from ${host}: it broke off the connection.`, { cause });
}
