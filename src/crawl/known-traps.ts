import { TrapDetector } from './traps.ts';

/** Addresses of a crawl that are remembered: 8 MB. Beyond, those that come again are counted again. */
const MOST = 100_000;

/**
 * The traps of one crawl, as one process knows them: links come again on every page, and each address counts once. Of
 * several processes each counts what its pages lead to, and after a restart from 0: the crawl is bounded by its limit too.
 */
export class KnownTraps {
  readonly #detector = new TrapDetector();
  /** What was said of each address, by its key. */
  readonly #known = new Map<string, string | undefined>();

  /** Why an address is not followed, in a sentence; undefined when it is. */
  check(key: string, url: URL): string | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#known.size >= MOST) this.#known.clear();
    const reason = this.#detector.check(url);
    this.#known.set(key, reason);
    return reason;
  }
}
