import { now } from '../../clock.ts';

interface Window {
  requests: number;
  endsAt: number;
}

/** Request windows in memory, up to a maximum: the oldest is dropped for the next one. */
export class Windows {
  readonly #windows = new Map<string, Window>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The current window of this key. */
  running(key: string, windowMs: number): Window | undefined {
    const window = this.#windows.get(key);
    if (window === undefined) return undefined;
    const left = window.endsAt - now();
    // More than a whole window can only be left if the clock was set back.
    return left > 0 && left <= windowMs ? window : undefined;
  }

  /** Begins a window, and replaces the previous one. */
  begin(key: string, window: Window): Window {
    // Deleted and added again, so that the map keeps its windows in the order in which they began.
    this.#windows.delete(key);
    this.#windows.set(key, window);
    if (this.#windows.size > this.#most) {
      const [first] = this.#windows.keys();
      if (first !== undefined) this.#windows.delete(first);
    }
    return window;
  }
}
