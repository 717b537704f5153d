import { isIP } from 'node:net';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { TrawlError } from '../errors.ts';
import { bareHost, type EgressGuard } from './egress/egress-guard.ts';
import { exchange } from './exchange.ts';
import type { Route } from './route.ts';
import type { PostRequest } from './types.ts';
import { unlessAborted } from './visit.ts';

/** Time limit for the name server. A failure that it reports later shows when an event is posted. */
const LOOKUP_MS = 1_000;

/** See `Poster`. */
export async function post(route: Route, { url, headers, body, signal, share }: PostRequest): Promise<number> {
  await unlessAborted(route.check(url), signal);
  const { status } = await exchange(route, {
    url,
    method: 'POST',
    headers: Object.entries(headers).flat(),
    body,
    verifyTls: true,
    maxBodyBytes: null,
    signal,
    share,
  });
  route.checkAnswer?.(url, status);
  return status;
}

/** See `Poster`. */
export async function checkTarget(guard: EgressGuard, url: URL): Promise<void> {
  guard.checkUrl(url);
  const name = bareHost(url.hostname);
  if (isIP(name) !== 0) return;
  const resolved = new Promise<Error | null>((resolve) => {
    guard.lookup(name, { all: true }, (error) => resolve(error));
  });
  const error = await Promise.race([resolved, pauseFor(LOOKUP_MS, null, { ref: false })]);
  // A name that does not exist today may exist tomorrow, and a proxy may know more names.
  if (error instanceof TrawlError && error.code === 'SCRAPE_BLOCKED_TARGET') throw error;
}
