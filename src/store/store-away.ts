import { setTimeout as sleep } from 'node:timers/promises';
import { TrawlError } from '../errors.ts';

/**
 * A restarted database is available again within seconds; one that was killed under load takes a few more to recover.
 */
export const AWAY_MS = 30_000;
const PAUSE_MS = 250;

/**
 * The database is unreachable at the moment: it is starting, or the connection is broken. Waiting is the only remedy.
 */
export class StoreAway extends TrawlError {
  /** Whether the write may have succeeded: the response to a commit was lost. */
  readonly inDoubt: boolean;

  constructor(message: string, { cause, inDoubt = false }: { cause?: unknown; inDoubt?: boolean } = {}) {
    super('STORE_UNAVAILABLE', message, { cause, headers: { 'retry-after': '5' } });
    this.inDoubt = inDoubt;
  }
}

/** The storage for the bytes of artifacts is unreachable at the moment. The database may well be available. */
export class BytesAway extends TrawlError {
  constructor(message: string, { cause }: { cause?: unknown } = {}) {
    super('STORE_UNAVAILABLE', message, { cause, headers: { 'retry-after': '5' } });
  }
}

/** Whether the database is unreachable at the moment. It would throw any other error again for the same request. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof TrawlError && error.code === 'STORE_UNAVAILABLE' && !(error instanceof BytesAway);
}

/** Whether only a later retry helps. */
function isAway(error: unknown): error is StoreAway | BytesAway {
  return error instanceof StoreAway || error instanceof BytesAway;
}

/**
 * Retries work while the database or the files are unreachable, for 30 s, and then throws its error. Calls `onAway` before each
 * retry.
 */
export async function outlast<Result>(
  work: () => Promise<Result>,
  onAway: (error: StoreAway | BytesAway) => void = () => {},
): Promise<Result> {
  const until = performance.now() + AWAY_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || performance.now() > until) throw error;
      onAway(error);
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Runs an idempotent write, and retries it while its outcome is unknown. So the caller learns the outcome, even if the
 * database becomes unreachable during the commit.
 */
export async function untilKnown<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof StoreAway) || !error.inDoubt) throw error;
    return outlast(write).catch((later: unknown) => {
      // That the database is still unreachable says nothing about the outcome of the first try.
      throw later instanceof StoreAway ? error : later;
    });
  }
}
