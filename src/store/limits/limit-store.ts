/**
 * What limits count and hold between requests. On PostgreSQL that is exact over any number of processes; on SQLite it is
 * in the memory of the one process that serves.
 */
export interface LimitStore {
  /**
   * Counts one request into the window of this subject and endpoint group, which begins with the first request that no
   * window holds and lasts `windowMs`. What is counted beyond `limit` in a window is not told exactly.
   */
  count(request: CountedRequest): Promise<WindowCount>;

  /** Takes one of the subject's `slots`, numbered from 1, or resolves with null when all of them are taken. */
  takeSlot(subject: string, slots: number): Promise<Slot | null>;

  /** How many slots of the subject are taken, in all processes. */
  takenSlots(subject: string): Promise<number>;

  /** How many slots each subject has taken, where this process alone knows that; null where the database does. */
  readonly takenHere: ReadonlyMap<string, number> | null;
}

export interface CountedRequest {
  /** Whom it is counted for. */
  subject: string;
  group: string;
  limit: number;
  windowMs: number;
}

export interface WindowCount {
  /** Requests in the window, this one too. */
  requests: number;
  /** Milliseconds until the window ends. */
  endsIn: number;
}

/** A slot that is taken until it is left. What a process held that was killed is free again after half a minute. */
export interface Slot {
  /** Resolves when the next one can have it; never rejects, and a second call does nothing. */
  release(): Promise<void>;
}
