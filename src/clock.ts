/** All ids and times come from here, so that tests can fix them. */
import { v7 } from 'uuid';

let read: () => number = Date.now;

/** Milliseconds since the epoch, UTC. */
export function now(): number {
  return read();
}

/** A new UUIDv7 (RFC 9562 section 5.7): ids of a later millisecond sort later. */
export function newId(): string {
  return v7({ msecs: read() });
}

/** An id that sorts before every id of this millisecond or later, and after every earlier id. */
export function idBefore(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** A time as the API writes it: ISO 8601, UTC, milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** For tests: replaces the clock until the returned function is called. */
export function useClock(clock: () => number): () => void {
  read = clock;
  return () => {
    read = Date.now;
  };
}
