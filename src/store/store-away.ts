import { setTimeout as sleep } from 'node:timers/promises';
import { TrawlError } from '../errors.ts';

/** A database that is restarted is there again within seconds; one that was killed under load recovers for some more. */
export const AWAY_MS = 30_000;
const PAUSE_MS = 250;

/** The database cannot be reached just now: it starts, or the way to it is cut. Nothing has to be changed but the time. */
export class StoreAway extends TrawlError {
  /** Whether what was asked for may have been done all the same: the answer to a commit got lost. */
  readonly inDoubt: boolean;

  constructor(message: string, { cause, inDoubt = false }: { cause?: unknown; inDoubt?: boolean } = {}) {
    super('STORE_UNAVAILABLE', message, { cause, headers: { 'retry-after': '5' } });
    this.inDoubt = inDoubt;
  }
}

/** The bytes of artifacts cannot be reached just now, wherever they are kept. The database may well be there. */
export class BytesAway extends TrawlError {
  constructor(message: string, { cause }: { cause?: unknown } = {}) {
    super('STORE_UNAVAILABLE', message, { cause, headers: { 'retry-after': '5' } });
  }
}

/** Whether the database can do nothing at the moment. What else it throws, it throws again when asked the same again. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof TrawlError && error.code === 'STORE_UNAVAILABLE' && !(error instanceof BytesAway);
}

/** Does work again while the database is away, for 30 s; then its error passes. `onAway` is told of each time. */
export async function outlast<Result>(
  work: () => Promise<Result>,
  onAway: (error: StoreAway) => void = () => {},
): Promise<Result> {
  const until = performance.now() + AWAY_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreAway) || performance.now() > until) throw error;
      onAway(error);
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Does a write that changes nothing the second time, and does it again when it is not known whether it was done. So who
 * asked learns what has become of it, also when the database goes away in this moment.
 */
export async function untilKnown<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof StoreAway) || !error.inDoubt) throw error;
    return outlast(write).catch((later: unknown) => {
      // That it cannot be reached now either does not tell what it did then.
      throw later instanceof StoreAway ? error : later;
    });
  }
}
