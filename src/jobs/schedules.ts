import { now } from '../clock.ts';
import type { Schedule } from '../store/operations/schedules.ts';
import type { Store } from '../store/store.ts';
import { readCron } from './cron.ts';

/** A turn of a schedule that is due. */
export interface Turn {
  schedule: Schedule;
  /** Identifies this turn: the same id in every process. */
  id: string;
  /**
   * Claims the turn. Resolves with whether the caller gets it: of several processes, one does. A kind that starts a job
   * claims its turn afterwards, and starts the job with the id of the turn as its idempotency key. Then a process that
   * is killed in between loses no turn, and no turn starts two jobs.
   */
  take(): Promise<boolean>;
  /** Aborted when the process ends. What takes long stops at the next step. */
  signal: AbortSignal;
}

export type RunTurn = (turn: Turn) => Promise<void>;

export interface SchedulesOptions {
  store: Store;
  /** Runs the schedules, by kind. */
  kinds: ReadonlyMap<string, RunTurn>;
  onError: (error: unknown, what: string) => void;
}

/** A poll costs 20 µs on SQLite and 0.2 ms on PostgreSQL. No turn is late by more than this. */
const POLL_MS = 1_000;
/** Turns that are begun after one poll. */
const AT_ONCE = 16;
/** The next time of a schedule without any: the latest time there is. */
const NEVER = 8.64e15;
/** A turn that failed, or whose kind this process does not know, is left alone for this long. */
const PAUSE_MS = 60_000;

/**
 * Runs all schedules. Turns that came due while no process ran are caught up once, however many they were. A turn that
 * fails is tried again, and delays no other.
 */
export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #underWay = new Set<string>();
  readonly #pausedUntil = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#track(this.#poll()), POLL_MS);
    this.#timer.unref();
    this.#track(this.#poll());
  }

  /** Begins no more turns, and waits for the running ones. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  #track(work: Promise<void>): void {
    const running = work
      .catch((error) => this.#options.onError(error, 'the schedules could not be read; retrying'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #poll(): Promise<void> {
    const due = await this.#options.store.schedules.due(now(), AT_ONCE + this.#pausedUntil.size);
    for (const schedule of due) if (!this.#stop.signal.aborted) this.#begin(schedule);
  }

  #begin(schedule: Schedule): void {
    const id = `${schedule.team}:${schedule.id}:${schedule.nextAt}`;
    if (this.#underWay.has(id) || (this.#pausedUntil.get(id) ?? 0) > now()) return;
    this.#pausedUntil.delete(id);
    this.#underWay.add(id);
    const running = this.#run(schedule, id)
      .catch((error) => {
        this.#pausedUntil.set(id, now() + PAUSE_MS);
        this.#options.onError(error, `the schedule ${schedule.id} failed; retrying in a minute`);
      })
      .finally(() => {
        this.#underWay.delete(id);
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  async #run(schedule: Schedule, id: string): Promise<void> {
    const run = this.#options.kinds.get(schedule.kind);
    // The kind belongs to a newer version.
    if (run === undefined) {
      this.#pausedUntil.set(id, now() + PAUSE_MS);
      return;
    }
    const nextAt = readCron(schedule.cron, schedule.zone).after(now()) ?? NEVER;
    const take = () => this.#options.store.schedules.take(schedule, nextAt);
    await run({ schedule, id, take, signal: this.#stop.signal });
  }
}
