import type { Page, Request, Response } from 'playwright-core';

/** What brings content. Pictures, fonts, beacons and streams of events do not. */
const CONTENT_TYPES = new Set(['document', 'script', 'xhr', 'fetch']);
/** The third request to an address polls. */
const POLLS = 3;
/** More different addresses than this are not told apart. */
const MAX_ADDRESSES = 2_000;

/** The requests of a page that are in flight. */
export class PageRequests {
  readonly #inFlight = new Map<Request, number>();
  readonly #asked = new Map<string, number>();
  #changed = Promise.withResolvers<void>();
  /** The response that the document of the page came with. */
  document: Response | undefined;

  constructor(page: Page) {
    page.on('request', (request) => this.#begin(request));
    page.on('requestfinished', (request) => this.#end(request));
    page.on('requestfailed', (request) => this.#end(request));
    page.on('response', (response) => {
      const request = response.request();
      if (request.resourceType() !== 'document' || request.frame() !== page.mainFrame()) return;
      // Redirects are steps on the way.
      if (response.status() < 300 || response.status() > 399) this.document = response;
    });
  }

  /** Whether content is on its way. Requests that have taken longer than `patienceMs` hold nothing up: they may be long polls. */
  isBusy(patienceMs: number): boolean {
    const since = performance.now() - patienceMs;
    return this.#inFlight.values().some((startedAt) => startedAt > since);
  }

  /** Resolves when a request ends, or after `ms`. */
  async untilChange(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#change(), ms);
    await this.#changed.promise;
    clearTimeout(timer);
  }

  #begin(request: Request): void {
    if (!CONTENT_TYPES.has(request.resourceType())) return;
    const address = request.url().split('?', 1)[0] ?? '';
    const times = (this.#asked.get(address) ?? 0) + 1;
    if (times > 1 || this.#asked.size < MAX_ADDRESSES) this.#asked.set(address, times);
    if (times < POLLS) this.#inFlight.set(request, performance.now());
  }

  #end(request: Request): void {
    if (this.#inFlight.delete(request)) this.#change();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
