import { TrapDetector } from './traps.ts';

/** Addresses of a crawl that are remembered, at the least; twice as many at the most: 4 MB. */
const MOST = 25_000;

/**
 * The traps of one crawl, as one process knows them: links come again on every page, and each address counts once. Of
 * several processes each counts what its pages lead to, and after a restart from 0: the crawl is bounded by its limit too.
 */
export class KnownTraps {
  readonly #detector = new TrapDetector();
  /** What was said of each address, by its key: of those that came lately, and of those before. */
  #lately = new Map<string, string | undefined>();
  #before = new Map<string, string | undefined>();

  /** Why an address is not followed, in a sentence; undefined when it is. */
  check(key: string, url: URL): string | undefined {
    if (this.#lately.has(key)) return this.#lately.get(key);
    const reason = this.#before.has(key) ? this.#before.get(key) : this.#detector.check(url);
    if (this.#lately.size >= MOST) {
      this.#before = this.#lately;
      this.#lately = new Map();
    }
    this.#lately.set(key, reason);
    return reason;
  }
}
