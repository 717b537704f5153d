import { newId, now } from '../../clock.ts';
import type { Runner } from '../database.ts';
import {
  addSlots,
  countRequest,
  countSlots,
  type HeldSlot,
  releaseSlot,
  renewSlot,
  takeSlot,
} from '../operations/limits.ts';
import type { CountedRequest, LimitStore, Slot, WindowCount } from './limit-store.ts';
import { Windows } from './windows.ts';

/** The slots of a killed process are free after this long. */
const LEASE_MS = 30_000;
/** Three renewals before a lease expires. Most work is done before the first. */
const RENEW_MS = 8_000;
/** Windows that are known to be full: at most 2 MB. A forgotten one is looked up again. */
const MAX_FULL = 10_000;

/**
 * Limits in PostgreSQL, shared by all processes. This replaces `rate-limiter-flexible`, whose statement for the same
 * fixed window uses the clock of each machine, creates and clears its table beside our migrations and sweeps, and has
 * no slots: ours is that statement in the idiom of the store, with the database's clock.
 */
export class PostgresLimits implements LimitStore {
  readonly takenHere = null;
  readonly #runner: Runner;
  readonly #full = new Windows(MAX_FULL);

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  async count({ subject, group, limit, windowMs }: CountedRequest): Promise<WindowCount> {
    const key = `${group} ${subject}`;
    // The count of a window never decreases: a full window stays full, and a flood of refused requests costs the
    // database nothing.
    const full = this.#full.running(key, windowMs);
    if (full !== undefined && full.requests > limit) return { requests: full.requests, endsIn: full.endsAt - now() };

    const counted = await this.#runner.writeOnce(countRequest, { subject, group, windowMs });
    if (counted.requests > limit) {
      this.#full.begin(key, { requests: counted.requests, endsAt: now() + counted.endsIn });
    }
    return counted;
  }

  async takeSlot(subject: string, slots: number): Promise<Slot | null> {
    const wanted = { subject, slots, lease: newId(), leaseMs: LEASE_MS };
    const held = await this.#runner.writeOnce(takeSlot, wanted);
    if (held !== null) return this.#hold(held);
    // Either no row existed so far, or a slot was freed while the others were checked: try once more with all rows
    // there.
    await this.#runner.writeOnce(addSlots, { subject, slots });
    const second = await this.#runner.writeOnce(takeSlot, wanted);
    return second === null ? null : this.#hold(second);
  }

  takenSlots(subject: string): Promise<number> {
    return this.#runner.read(countSlots, subject);
  }

  #hold(held: HeldSlot): Slot {
    const renewal = setInterval(() => {
      // A failure is retried at the next turn, and the lease outlives two of them.
      this.#runner.writeOnce(renewSlot, { ...held, leaseMs: LEASE_MS }).catch(() => {});
    }, RENEW_MS).unref();
    let released = false;
    return {
      release: async () => {
        if (released) return;
        released = true;
        clearInterval(renewal);
        // When the database is gone, the lease expires by itself.
        await this.#runner.writeOnce(releaseSlot, held).catch(() => {});
      },
    };
  }
}
