import { isoTime, now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { LimitStore } from '../store/limits/limit-store.ts';
import type { Caller } from './keys.ts';
import type { RateGroup } from './plans.ts';

const MINUTE_MS = 60_000;

/** The state of a limit on requests after one more request. */
export interface RateState {
  limit: number;
  /** Requests that are left in this window. */
  remaining: number;
  /** When the window ends, in milliseconds since the epoch. */
  endsAt: number;
  /** Set when this request exceeded the limit. */
  refusal?: TrawlError;
}

/**
 * Counts a request of the caller in its group. The window is a fixed minute that begins with the first request, as
 * clients of this API expect. A refused request does not count in the next window. Null on a plan without limits.
 */
export async function countRequest(limits: LimitStore, caller: Caller, group: RateGroup): Promise<RateState | null> {
  const { plan, subject } = caller;
  if (plan.requestsPerMinute === null) return null;
  const limit = plan.requestsPerMinute[group];
  const { requests, endsIn } = await limits.count({ subject, group, limit, windowMs: MINUTE_MS });
  const state = { limit, remaining: Math.max(0, limit - requests), endsAt: now() + endsIn };
  if (requests <= limit) return state;
  return {
    ...state,
    refusal: refuse(`The plan "${plan.name}" allows ${limit} ${group} requests a minute`, state.endsAt),
  };
}

/** @param what the limit, as the beginning of a sentence */
export function refuse(what: string, endsAt: number): TrawlError {
  const seconds = Math.max(1, Math.ceil((endsAt - now()) / 1000));
  return new TrawlError(
    'RATE_LIMIT_EXCEEDED',
    // Clients of the cloud service look for "retry after" and the seconds in this text.
    `Rate limit exceeded. ${what}. Please retry after ${seconds}s, resets at ${isoTime(endsAt)}.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
