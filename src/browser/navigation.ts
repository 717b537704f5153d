import type { Page, Request, Response } from 'playwright-core';
import { TrawlError } from '../errors.ts';
import { afterRedirect } from '../fetch/redirect.ts';
import type { EgressProxy } from '../fetch/types.ts';
import { navigationError, netErrorOf } from './navigation-error.ts';
import { NotAPage } from './not-a-page.ts';
import type { RenderRequest } from './types.ts';

/** Where Chromium is when an address did not load. */
const ERROR_PAGE = 'chrome-error:';
/** Chromium shows some of these, the headless shell downloads them all. */
const FILE_TYPE = /^\s*(?:image|audio|video|font|model)\/|^\s*application\/pdf\b/i;

/** The ways of a page, its first one and those that its scripts take, with errors as the plain fetch has them. */
export class Navigation {
  readonly #page: Page;
  readonly #request: Pick<RenderRequest, 'url' | 'verifyTls' | 'deadline'>;
  readonly #proxy: Pick<EgressProxy, 'refusal'>;
  #last: Request | undefined;
  /** The page before the last request. */
  #from: string | undefined;

  constructor(
    page: Page,
    request: Pick<RenderRequest, 'url' | 'verifyTls' | 'deadline'>,
    proxy: Pick<EgressProxy, 'refusal'>,
  ) {
    this.#page = page;
    this.#request = request;
    this.#proxy = proxy;
    page.on('request', (asked) => {
      if (!asked.isNavigationRequest() || asked.frame() !== page.mainFrame()) return;
      this.#last = asked;
      this.#from = asked.redirectedFrom()?.url() ?? page.url();
    });
  }

  /**
   * Goes to the address of the request, until its document begins.
   * @throws NotAPage for a file
   * @throws TrawlError SCRAPE_* when it does not load
   */
  async start(): Promise<Response> {
    const { url, deadline } = this.#request;
    const response = await this.#page
      .goto(url, { waitUntil: 'commit', timeout: deadline.remaining })
      .catch((error: unknown) => {
        deadline.check();
        throw error instanceof Error ? this.#errorOf(error) : error;
      });
    if (response === null) throw new TrawlError('SCRAPE_BAD_RESPONSE', `${url} loads no document in a browser.`);
    if (FILE_TYPE.test(response.headers()['content-type'] ?? '')) throw new NotAPage(url);
    return response;
  }

  /**
   * Throws when the page has left for an address that did not load: what stands there now is not of the site.
   * @param front the page, or the tab in front of it
   */
  check(front: Page): void {
    if (!front.url().startsWith(ERROR_PAGE)) return;
    if (front !== this.#page)
      throw new TrawlError('SCRAPE_CONNECTION_ERROR', 'The tab that the page opened did not load.');
    throw this.#failure(netErrorOf(this.#last?.failure()?.errorText ?? '') ?? 'ERR_FAILED');
  }

  #errorOf(error: Error): Error {
    if (error.message.includes('Download is starting')) return new NotAPage(this.#request.url);
    const code = netErrorOf(error.message);
    if (code === undefined) return error;
    const failure = this.#failure(code);
    // 204 and 205 leave the browser where it is.
    return code === 'ERR_ABORTED' ? new NotAPage(this.#request.url) : failure;
  }

  #failure(code: string): Error {
    const url = new URL(this.#last?.url() ?? this.#request.url);
    const error = this.#proxy.refusal(url) ?? navigationError(code, url, this.#request.verifyTls);
    return afterRedirect(error, /^https?:/.test(this.#from ?? '') ? this.#from : undefined);
  }
}
