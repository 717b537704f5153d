import { now } from '../../clock.ts';
import type { CountedRequest, LimitStore, Slot, WindowCount } from './limit-store.ts';
import { Windows } from './windows.ts';

/**
 * Teams have six windows each; callers without a key have them by address, of which there are very many: at most 20 MB.
 */
const MAX_WINDOWS = 100_000;

/** Limits in the memory of this process. */
export class MemoryLimits implements LimitStore {
  readonly #windows = new Windows(MAX_WINDOWS);
  /** Only subjects that hold a slot: at most as many entries as running work. */
  readonly #taken = new Map<string, number>();

  async count({ subject, group, windowMs }: CountedRequest): Promise<WindowCount> {
    const key = `${group} ${subject}`;
    const at = now();
    const window =
      this.#windows.running(key, windowMs) ?? this.#windows.begin(key, { requests: 0, endsAt: at + windowMs });
    window.requests += 1;
    return { requests: window.requests, endsIn: window.endsAt - at };
  }

  async takeSlot(subject: string, slots: number): Promise<Slot | null> {
    const taken = this.#taken.get(subject) ?? 0;
    if (taken >= slots) return null;
    this.#taken.set(subject, taken + 1);
    let released = false;
    return {
      release: async () => {
        if (released) return;
        released = true;
        this.#release(subject);
      },
    };
  }

  async takenSlots(subject: string): Promise<number> {
    return this.#taken.get(subject) ?? 0;
  }

  get takenHere(): ReadonlyMap<string, number> {
    return this.#taken;
  }

  #release(subject: string): void {
    const taken = this.#taken.get(subject) ?? 0;
    if (taken > 1) this.#taken.set(subject, taken - 1);
    else this.#taken.delete(subject);
  }
}
