import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { Poster } from '../fetch/types.ts';
import type { ClaimedEvent, DeliveryEnd } from '../store/operations/jobs/deliver-events.ts';
import { VERSION } from '../version.ts';
import { signatureHeaders } from './signature-headers.ts';

/** Time limit for the receiver's response. */
const ANSWER_MS = 10_000;
/** Pauses after the first, second and third attempt; the fourth is the last one. */
const PAUSES_MS = [60_000, 5 * 60_000, 15 * 60_000] as const;

/**
 * Attempts to deliver an event. Any 2xx is a success, whatever follows it; everything else is retried later. Throws
 * errors that are not the receiver's fault.
 * @param body from `eventBody`
 * @param stop ends the attempt at once, and then it does not count
 */
export async function deliver(
  poster: Poster,
  event: ClaimedEvent,
  body: string,
  stop: AbortSignal,
): Promise<DeliveryEnd> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  try {
    const status = await poster.post({
      url: new URL(event.url),
      headers: {
        'User-Agent': `Trawl/${VERSION}`,
        ...readHeaders(event.headers),
        'Content-Type': 'application/json',
        ...signatureHeaders(event.secret, event.id, now(), body),
      },
      body,
      signal: AbortSignal.any([limit, stop]),
      share: event.teamId,
    });
    if (status >= 200 && status < 300) return { type: 'delivered', status };
    return failed(event, status, `The receiver responded with ${status}.`);
  } catch (error) {
    if (stop.aborted) return { type: 'returned' };
    if (limit.aborted) return failed(event, null, `The receiver did not respond within ${ANSWER_MS / 1000} s.`);
    if (!(error instanceof TrawlError)) throw error;
    if (error.code === 'SHUTTING_DOWN') return { type: 'returned' };
    return failed(event, null, error.message);
  }
}

function readHeaders(text: string): Record<string, string> {
  return JSON.parse(text);
}

/** The end of a failed attempt: another one after a pause, unless it was the last. */
export function failed({ attempts }: ClaimedEvent, status: number | null, error: string): DeliveryEnd {
  const pause = PAUSES_MS[attempts];
  return { type: 'failed', status, error, runAt: pause === undefined ? null : now() + pause };
}
