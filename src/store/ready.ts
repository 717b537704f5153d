import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { Runner } from './database.ts';
import { touch } from './operations/ping.ts';

/** The log of SQLite alone may take 64 MB before a checkpoint, and a full disk would be noticed too late. */
const MIN_FREE_BYTES = 100_000_000;

/** Throws STORE_UNAVAILABLE when the store cannot be written to, or not for much longer. */
export async function checkReady(runner: Runner): Promise<void> {
  const free = await runner.freeBytes();
  if (free !== null && free < MIN_FREE_BYTES) throw diskFull(free);
  await runner.writeOnce(touch, now());
}

function diskFull(free: number): TrawlError {
  const [left, needed] = [free, MIN_FREE_BYTES].map((bytes) => Math.floor(bytes / 1_000_000));
  return new TrawlError(
    'STORE_UNAVAILABLE',
    `The disk of the data directory is full: ${left} MB are free, and ${needed} MB are needed. Make room, or lower TRAWL_CACHE_MB.`,
  );
}
