import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { Poster } from '../fetch/types.ts';
import type { ClaimedEvent, DeliveryEnd } from '../store/operations/jobs/deliver-events.ts';
import { VERSION } from '../version.ts';
import { signatureHeaders } from './signature-headers.ts';

/** How long a receiver has to answer. */
const ANSWER_MS = 10_000;
/** After the first try, the second, the third; the fourth is the last one. */
const PAUSES_MS = [60_000, 5 * 60_000, 15 * 60_000] as const;

/**
 * Tries to deliver an event. Any 2xx is a yes, whatever follows it; everything else is tried again later. Throws what
 * is no failure of the receiver.
 *
 * @param body that of `eventBody`
 * @param stop ends it at once, and then it counts for nothing
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
    return failed(event, status, `It answered with ${status}.`);
  } catch (error) {
    if (stop.aborted) return { type: 'returned' };
    if (limit.aborted) return failed(event, null, `It did not answer within ${ANSWER_MS / 1000} s.`);
    if (!(error instanceof TrawlError)) throw error;
    if (error.code === 'SHUTTING_DOWN') return { type: 'returned' };
    return failed(event, null, error.message);
  }
}

function readHeaders(text: string): Record<string, string> {
  return JSON.parse(text);
}

/** The end of a try that failed: again after a pause, unless it was the last one. */
export function failed({ attempts }: ClaimedEvent, status: number | null, error: string): DeliveryEnd {
  const pause = PAUSES_MS[attempts];
  return { type: 'failed', status, error, runAt: pause === undefined ? null : now() + pause };
}
