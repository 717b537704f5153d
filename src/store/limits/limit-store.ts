/**
 * Request counts and slots, shared between requests. On PostgreSQL they are exact across any number of processes; on
 * SQLite they are in the memory of the one process that serves.
 */
export interface LimitStore {
  /**
   * Counts one request in the window of this subject and endpoint group. A window begins with the first request outside
   * any window, and lasts `windowMs`. Counts beyond `limit` are not exact.
   */
  count(request: CountedRequest): Promise<WindowCount>;

  /** Takes one of the subject's `slots`, numbered from 1. Resolves with null when all of them are taken. */
  takeSlot(subject: string, slots: number): Promise<Slot | null>;

  /** The number of slots that the subject holds, in all processes. */
  takenSlots(subject: string): Promise<number>;

  /** The number of slots that each subject holds, if only this process knows; null if the database does. */
  readonly takenHere: ReadonlyMap<string, number> | null;
}

export interface CountedRequest {
  /** The party that the request is counted for. */
  subject: string;
  group: string;
  limit: number;
  windowMs: number;
}

export interface WindowCount {
  /** Requests in the window, including this one. */
  requests: number;
  /** Milliseconds until the window ends. */
  endsIn: number;
}

/** A slot that is held until it is released. The slots of a killed process are free again after half a minute. */
export interface Slot {
  /** Resolves when the slot is free for others. Never rejects, and a second call does nothing. */
  release(): Promise<void>;
}
