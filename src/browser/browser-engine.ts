import type { Browser, BrowserContext } from 'playwright-core';
import { FairSemaphore } from '../fair-semaphore.ts';
import type { ProxyOpener } from '../fetch/types.ts';
import type { ChromiumPlaces } from './process/find-chromium.ts';
import { type LaunchedChromium, launchAny } from './process/launch.ts';
import { renderInContext } from './render-in-context.ts';
import type { RenderedPage, Renderer, RenderRequest } from './types.ts';

export interface BrowserOptions extends ChromiumPlaces {
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
  #launched: Promise<LaunchedChromium> | undefined;

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

  async #started(): Promise<Browser> {
    this.#launched ??= this.#start();
    return (await this.#launched).browser;
  }

  async #start(): Promise<LaunchedChromium> {
    try {
      const launched = await launchAny(this.#options);
      launched.browser.once('disconnected', () => {
        this.#launched = undefined;
      });
      return launched;
    } catch (error) {
      this.#launched = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    const launched = await this.#launched?.catch(() => undefined);
    await launched?.process.stop();
  }
}
