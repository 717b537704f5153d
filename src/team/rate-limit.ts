import { isoTime, now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { LimitStore } from '../store/limits/limit-store.ts';
import type { Caller } from './keys.ts';
import type { RateGroup } from './plans.ts';

const MINUTE_MS = 60_000;

/** How a limit on requests stands after one more of them. */
export interface RateState {
  limit: number;
  /** Requests that may still come before the end of the window. */
  remaining: number;
  /** Milliseconds until the window ends. */
  endsIn: number;
  /** Set when this request was one too many. */
  refusal?: TrawlError;
}

/**
 * Counts a request of the caller in its group, in a fixed window of a minute that begins with the first request: what
 * clients of this API know. A request too many counts for nothing in the window after. Null on a plan without limits.
 */
export async function countRequest(limits: LimitStore, caller: Caller, group: RateGroup): Promise<RateState | null> {
  const { plan, subject } = caller;
  if (plan.requestsPerMinute === null) return null;
  const limit = plan.requestsPerMinute[group];
  const { requests, endsIn } = await limits.count({ subject, group, limit, windowMs: MINUTE_MS });
  const state = { limit, remaining: Math.max(0, limit - requests), endsIn };
  if (requests <= limit) return state;
  return { ...state, refusal: refuse(`The plan "${plan.name}" allows ${limit} ${group} requests a minute`, endsIn) };
}

/** @param what the limit, as the beginning of a sentence; @param endsIn milliseconds */
export function refuse(what: string, endsIn: number): TrawlError {
  const seconds = retryAfter(endsIn);
  return new TrawlError(
    'RATE_LIMIT_EXCEEDED',
    // Clients of the cloud service look for "retry after" and the seconds in this text.
    `Rate limit exceeded. ${what}. Please retry after ${seconds}s, resets at ${isoTime(now() + endsIn)}.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

/** Whole seconds after which the window has ended, at least one. */
function retryAfter(endsIn: number): number {
  return Math.max(1, Math.ceil(endsIn / 1000));
}
