import type { Browser, BrowserContext } from 'playwright-core';
import { TrawlError } from '../errors.ts';
import { FairSemaphore } from '../fair-semaphore.ts';
import type { ProxyOpener } from '../fetch/types.ts';
import { findChromium } from './find-chromium.ts';
import { launchChromium } from './launch.ts';
import { renderInContext } from './render-in-context.ts';
import type { RenderedPage, Renderer, RenderRequest } from './types.ts';

export interface BrowserOptions {
  /** TRAWL_BROWSER_PATH. */
  path: string | undefined;
  /** Opens the way out for each context. */
  proxies: ProxyOpener;
  /** The most bytes of HTML that a page may have. */
  maxPageBytes: number;
}

/** Pages that are open at the same time. */
const CONTEXTS = 4;

/** Renders pages in a Chromium that starts with the first of them. */
export class BrowserEngine implements Renderer {
  readonly #options: BrowserOptions;
  readonly #slots = new FairSemaphore(CONTEXTS);
  #browser: Promise<Browser> | undefined;

  constructor(options: BrowserOptions) {
    this.#options = options;
  }

  async render(request: RenderRequest): Promise<RenderedPage> {
    const { deadline, share } = request;
    using _slot = await this.#slots.acquire(share, 1, deadline.signal);
    const { proxies } = this.#options;
    const route = request.proxy === 'enhanced' && proxies.hasEnhanced ? 'enhanced' : 'basic';
    const proxy = await proxies.openProxy({ admit: request.admit, route });
    let context: BrowserContext | undefined;
    const closeContext = () => void context?.close().catch(() => {});
    deadline.signal.addEventListener('abort', closeContext, { once: true });
    try {
      const browser = await this.#started();
      context = await browser.newContext({
        proxy: { server: proxy.address },
        ignoreHTTPSErrors: !request.verifyTls,
        acceptDownloads: false,
        extraHTTPHeaders: request.headers,
      });
      deadline.check();
      return await renderInContext(context, request, { proxyUsed: route, maxPageBytes: this.#options.maxPageBytes });
    } catch (error) {
      deadline.check();
      throw error;
    } finally {
      deadline.signal.removeEventListener('abort', closeContext);
      await context?.close().catch(() => {});
      await proxy.close();
    }
  }

  #started(): Promise<Browser> {
    this.#browser ??= this.#start();
    return this.#browser;
  }

  async #start(): Promise<Browser> {
    const chromium = findChromium(this.#options.path);
    if (chromium === undefined) throw new TrawlError('BROWSER_UNAVAILABLE', NO_BROWSER);
    const browser = await launchChromium(chromium);
    browser.once('disconnected', () => {
      this.#browser = undefined;
    });
    return browser;
  }

  async close(): Promise<void> {
    const browser = await this.#browser?.catch(() => undefined);
    await browser?.close();
  }
}

const NO_BROWSER =
  'This needs a browser, and there is none on this machine. Install Chromium (on Debian: apt-get install chromium-headless-shell), or set TRAWL_BROWSER_PATH.';
