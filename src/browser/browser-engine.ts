import type { BrowserContext, Page } from 'playwright-core';
import { TrawlError } from '../errors.ts';
import type { EgressProxy, ProxyOpener } from '../fetch/types.ts';
import { loadOnce } from '../load-once.ts';
import { admitRequest } from './admit-request.ts';
import { contextIdentity } from './identity/context-identity.ts';
import { addChromeObject } from './in-page/add-chrome-object.ts';
import { addOwnCookies, identityOptions } from './own-headers.ts';
import { type BrowserLimits, browserLimits } from './pool/browser-limits.ts';
import { BrowserPool, type BrowserReports } from './pool/browser-pool.ts';
import { readMachine } from './pool/machine.ts';
import type { BrowserLease, RunningBrowser } from './pool/running-browser.ts';
import { RenderSlots } from './pool/slots.ts';
import { type ChromiumPlaces, listChromiums } from './process/find-chromium.ts';
import { type LaunchedChromium, nameOf } from './process/launch.ts';
import { restoreState } from './profile-state.ts';
import { renderInContext } from './render-in-context.ts';
import type { RenderedPage, Renderer, RenderRequest } from './types.ts';

export interface BrowserOptions extends ChromiumPlaces {
  /** Opens the way out for each context. */
  proxies: ProxyOpener;
  /** The most bytes of HTML that a page may have. */
  maxPageBytes: number;
  /** TRAWL_BROWSER_CONTEXTS; undefined: as many as the machine has room for. */
  contexts: number | undefined;
  reports: EngineReports;
}

export interface EngineReports extends BrowserReports {
  /** @param ms from the slot to the page or its error */
  rendered(ms: number): void;
}

/** What the browser does now. */
export interface BrowserLoad {
  /** Pages that are open. */
  open: number;
  /** Pages that wait for a slot. */
  waiting: number;
  /** Memory of all processes of the browser. */
  bytes: number;
}

/** Whether pages can be rendered. */
export interface BrowserState {
  status: 'running' | 'not started' | 'unavailable';
  /** The Chromium that runs, or that is tried first: version and file. Undefined without any. */
  chromium: string | undefined;
}

/** A Chromium that has not made a context after this long is hung. It takes 10 ms, and 2 s on a very busy machine. */
const CONTEXT_MS = 15_000;

/** The browser or the process of the page crashed: the page may succeed in a new one. */
class Crash extends Error {}

interface Opened {
  slots: RenderSlots;
  pool: BrowserPool;
}

interface OpenedProxy extends EgressProxy, AsyncDisposable {
  route: 'basic' | 'enhanced';
}

/** Renders pages in a Chromium that starts with the first of them, each in a context of its own. */
export class BrowserEngine implements Renderer {
  readonly #options: BrowserOptions;
  readonly #open = loadOnce(() => this.#makePool());
  #opened: Opened | undefined;

  constructor(options: BrowserOptions) {
    this.#options = options;
  }

  /** How many pages may be open at the same time, and how much memory they may take. */
  async limits(): Promise<BrowserLimits> {
    return browserLimits(await readMachine(), this.#options.contexts);
  }

  /** Starts nothing. */
  async state(): Promise<BrowserState> {
    const running = this.#opened?.pool.running;
    if (running !== undefined) return { status: 'running', chromium: nameOf(running.launched) };
    const [first] = await listChromiums(this.#options).catch(() => []);
    return { status: first === undefined ? 'unavailable' : 'not started', chromium: first?.name };
  }

  /** Starts a Chromium if none runs. Throws BROWSER_UNAVAILABLE. */
  async start(): Promise<LaunchedChromium> {
    const { pool } = await this.#open();
    return (await pool.get()).launched;
  }

  get load(): BrowserLoad {
    const { slots, pool } = this.#opened ?? {};
    return { open: slots?.taken ?? 0, waiting: slots?.waiting ?? 0, bytes: pool?.bytes ?? 0 };
  }

  async render(request: RenderRequest): Promise<RenderedPage> {
    const { signal } = request.deadline;
    const target = new URL(request.url);
    // What is refused whatever its name resolves to needs no browser.
    request.admit?.(target);
    this.#options.proxies.check(target);
    const { slots, pool } = await this.#open();
    const slot = await slots.acquire(request, signal);
    const startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<RenderedPage>();
    // At once, whatever Chromium is doing: the context closes by itself.
    const giveUp = () => {
      slot[Symbol.dispose]();
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const report = () => this.#options.reports.rendered(performance.now() - startedAt);
    promise.then(report, report);
    void this.#renderWithSecondTry(pool, request, resolve)
      .catch(reject)
      .finally(() => {
        signal.removeEventListener('abort', giveUp);
        slot[Symbol.dispose]();
      });
    return promise;
  }

  async #makePool(): Promise<Opened> {
    const limits = await this.limits();
    const pool = new BrowserPool(this.#options, limits, this.#options.reports);
    this.#opened = { slots: new RenderSlots(limits.contexts), pool };
    return this.#opened;
  }

  /** @param deliver gets the page as soon as it is there; the promise resolves when its context is closed */
  async #renderWithSecondTry(
    pool: BrowserPool,
    request: RenderRequest,
    deliver: (page: RenderedPage) => void,
  ): Promise<void> {
    try {
      await this.#renderOnce(pool, request, deliver);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      await this.#renderOnce(pool, request, deliver).catch((again: unknown) => {
        throw again instanceof Crash ? crashedTwice(again) : again;
      });
    }
  }

  async #renderOnce(pool: BrowserPool, request: RenderRequest, deliver: (page: RenderedPage) => void): Promise<void> {
    const { deadline } = request;
    const running = await pool.get();
    deadline.check();
    using lease = running.lease();
    await using proxy = await this.#openProxy(request);
    const context = await this.#openContext(running, lease, request, proxy);
    try {
      const rendering = this.#renderIn(context, request, proxy);
      const stops = [untilCrash(context), untilAborted(deadline.signal), untilAborted(lease.gone)];
      deliver(await Promise.race([rendering, ...stops]));
    } catch (error) {
      deadline.check();
      throw running.isGone ? new Crash('The browser crashed.', { cause: error }) : whatHappened(error, running);
    } finally {
      await running.close(context, lease);
    }
  }

  async #renderIn(context: BrowserContext, request: RenderRequest, proxy: OpenedProxy): Promise<RenderedPage> {
    await prepare(context, request);
    request.deadline.check();
    const { maxPageBytes } = this.#options;
    return renderInContext(context, request, { proxyUsed: proxy.route, proxy, maxPageBytes });
  }

  async #openProxy(request: RenderRequest): Promise<OpenedProxy> {
    const { proxies } = this.#options;
    const route = request.proxy === 'enhanced' && proxies.hasEnhanced ? 'enhanced' : 'basic';
    const proxy = await proxies.openProxy({ admit: admitRequest(request), route });
    return { ...proxy, route, [Symbol.asyncDispose]: () => proxy.close() };
  }

  async #openContext(
    running: RunningBrowser,
    { gone }: BrowserLease,
    request: RenderRequest,
    proxy: EgressProxy,
  ): Promise<BrowserContext> {
    const opening = running.browser.newContext({
      proxy: { server: proxy.address },
      ignoreHTTPSErrors: !request.verifyTls,
      acceptDownloads: false,
      ...contextIdentity(running.browser.version(), request),
      ...identityOptions(request),
    });
    // All its pages crash with it, and get their second try.
    const timer = setTimeout(() => void running.stop('hung'), CONTEXT_MS);
    try {
      return await Promise.race([opening, untilAborted(gone)]);
    } catch (error) {
      throw running.isGone ? new Crash('The browser opens no page.', { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#opened?.pool.close();
  }
}

async function prepare(context: BrowserContext, request: RenderRequest): Promise<void> {
  const { state } = request.profile ?? {};
  await Promise.all([
    context.addInitScript(addChromeObject),
    // In this order, because restoring removes all cookies first.
    (state === undefined ? Promise.resolve() : restoreState(context, state)).then(() =>
      addOwnCookies(context, request),
    ),
  ]);
}

/** Rejects when the first page of the context crashes. */
function untilCrash(context: BrowserContext): Promise<never> {
  return new Promise((_, reject) => {
    context.once('page', (page: Page) => page.once('crash', () => reject(new Crash('The page crashed.'))));
  });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

function whatHappened(error: unknown, running: RunningBrowser): unknown {
  // The driver may fail with what it was doing before it says that the page has crashed.
  const isCrash = error instanceof Crash || (error instanceof Error && /\bcrashed\b/.test(error.message));
  if (!isCrash) return error;
  if (!running.wasOverweight) return new Crash('The page crashed.', { cause: error });
  return new TrawlError(
    'SCRAPE_PAGE_TOO_LARGE',
    'Rendering this page takes more memory than one page may use in the browser. Scrape it without what needs a browser.',
    { cause: error },
  );
}

function crashedTwice(cause: Crash): TrawlError {
  return new TrawlError(
    'SCRAPE_BROWSER_CRASHED',
    'The browser crashed while it rendered this page, and again at the second try. Scrape it without what needs a browser.',
    { cause },
  );
}
