import type { TrawlError } from '../../errors.ts';
import { portOf } from '../port-of.ts';

/** More hosts than any page asks for; a page that tries them all must not fill the memory. */
const KEPT = 512;

/**
 * Why hosts could not be reached, by host and port. A browser is only told that a tunnel failed; who waits for the page
 * is told the reason.
 */
export class Refusals {
  readonly #reasons = new Map<string, TrawlError>();

  add(url: URL, reason: TrawlError): void {
    const key = keyOf(url);
    this.#reasons.delete(key);
    this.#reasons.set(key, reason);
    const [oldest] = this.#reasons.keys();
    if (oldest !== undefined && this.#reasons.size > KEPT) this.#reasons.delete(oldest);
  }

  /** It was reached after all. */
  clear(url: URL): void {
    this.#reasons.delete(keyOf(url));
  }

  of(url: URL): TrawlError | undefined {
    return this.#reasons.get(keyOf(url));
  }
}

function keyOf(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}
