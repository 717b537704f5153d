import { TrawlError } from '../../errors.ts';

/** The bytes of a browser context, in both directions together. */
export class Traffic {
  readonly #most: number;
  readonly #onFull: () => void;
  #bytes = 0;

  /** @param onFull called once, when more than `most` bytes went through */
  constructor(most: number, onFull: () => void) {
    this.#most = most;
    this.#onFull = onFull;
  }

  add(bytes: number): void {
    const wasFull = this.#isFull;
    this.#bytes += bytes;
    if (this.#isFull && !wasFull) this.#onFull();
  }

  /** @throws SCRAPE_PAGE_TOO_LARGE once the limit is reached */
  check(): void {
    if (!this.#isFull) return;
    throw new TrawlError(
      'SCRAPE_PAGE_TOO_LARGE',
      `The page loads more than ${Math.floor(this.#most / 1048576)} MB into the browser. The operator can raise TRAWL_MAX_PAGE_MB.`,
    );
  }

  get #isFull(): boolean {
    return this.#bytes > this.#most;
  }
}
