import type { Browser, BrowserContext } from 'playwright-core';
import type { LaunchedChromium } from '../process/launch.ts';
import type { BrowserLimits } from './browser-limits.ts';
import { type MeasuredProcess, measureTree } from './process-tree.ts';

/** Why a Chromium ends. */
export const END_REASONS = ['age', 'pages', 'memory', 'idle', 'hung', 'crashed', 'shutdown'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** A Chromium grows by some hundred KB with every page that it has shown. */
const MOST_PAGES = 500;
const MOST_AGE_MS = 30 * 60_000;
/** What the processes that run no page may take: they only grow, and take 150 MB at first. */
const MOST_OWN_BYTES = 400 * 1024 * 1024;
/** Without a page for this long, a Chromium frees its memory. */
const IDLE_MS = 3 * 60_000;
/** How long a context may take to close. It takes 10 to 20 ms. */
const CLOSE_MS = 3_000;
/** A page that crashes this soon after a process was ended for its memory was the one. */
const BLAME_MS = 2_000;

const GONE = new Error('The browser is gone.');

/** A page that is open in a Chromium. Disposing says that it is closed. */
export interface BrowserLease extends Disposable {
  /** Aborts when the Chromium is gone. The driver does not always notice: it may just be waiting for something else. */
  gone: AbortSignal;
}

/**
 * One Chromium with the pages that are open in it. When it has been used enough it is retired: it gets no more pages, and ends with
 * the last that is under way.
 */
export class RunningBrowser {
  readonly launched: LaunchedChromium;
  readonly #onEnd: (reason: EndReason) => void;
  readonly #startedAt = performance.now();
  #usedAt = performance.now();
  readonly #open = new Set<AbortController>();
  #pages = 0;
  #retired: EndReason | undefined;
  #hasEnded = false;
  #overweightAt = Number.NEGATIVE_INFINITY;
  #bytes = 0;

  /** @param onEnd called once, when it ends or has ended */
  constructor(launched: LaunchedChromium, onEnd: (reason: EndReason) => void) {
    this.launched = launched;
    this.#onEnd = onEnd;
    void launched.process.transport.closed.then(() => {
      for (const gone of this.#open) gone.abort(GONE);
    });
    void launched.process.exited.then(() => this.#end(this.#retired ?? 'crashed'));
  }

  get browser(): Browser {
    return this.launched.browser;
  }

  /** Pages that are open. */
  get open(): number {
    return this.#open.size;
  }

  /** Its memory when it was last measured. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether it may get another page. Retires it if it has been used enough. */
  get isFresh(): boolean {
    if (performance.now() - this.#startedAt > MOST_AGE_MS) this.retire('age');
    else if (this.#pages >= MOST_PAGES) this.retire('pages');
    return this.#retired === undefined && !this.isGone;
  }

  get isGone(): boolean {
    return this.#hasEnded || !this.launched.process.transport.isOpen;
  }

  /** Whether a process of a page was just ended because of its memory. */
  get wasOverweight(): boolean {
    return performance.now() - this.#overweightAt < BLAME_MS;
  }

  /** Counts a page. */
  lease(): BrowserLease {
    this.#pages += 1;
    const gone = new AbortController();
    this.#open.add(gone);
    if (this.isGone) gone.abort(GONE);
    return {
      gone: gone.signal,
      [Symbol.dispose]: () => {
        this.#open.delete(gone);
        this.#usedAt = performance.now();
        this.#endIfRetired();
      },
    };
  }

  /** Closes a context, and waits for it only so long: a Chromium that does not close one is retired. */
  async close(context: BrowserContext, { gone }: BrowserLease): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.retire('hung');
      resolve();
    }, CLOSE_MS);
    gone.addEventListener('abort', () => resolve(), { once: true });
    if (gone.aborted) resolve();
    await Promise.race([context.close().catch(() => {}), late]);
    clearTimeout(timer);
  }

  /** Gives it no more pages, and ends it after those that are open. */
  retire(reason: EndReason): void {
    this.#retired ??= reason;
    this.#endIfRetired();
  }

  /** Ends it now. */
  async stop(reason: EndReason): Promise<void> {
    this.#end(reason);
    await this.launched.process.stop();
  }

  /** Retires it when it was idle for long or has grown, and ends the processes of pages that take too much. */
  async check({ bytes, pageBytes }: BrowserLimits): Promise<void> {
    if (this.#open.size === 0 && performance.now() - this.#usedAt > IDLE_MS) this.retire('idle');
    if (this.isGone) return;
    const processes = await measureTree(this.launched.process.pid);
    this.#bytes = sumOf(processes);
    const pages = processes.filter(({ isPage }) => isPage).sort((one, other) => other.bytes - one.bytes);
    if (this.#bytes - sumOf(pages) > MOST_OWN_BYTES) this.retire('memory');
    let excess = this.#bytes - bytes;
    for (const page of pages) {
      if (page.bytes <= pageBytes && excess <= 0) break;
      this.#overweightAt = performance.now();
      endProcess(page.pid);
      excess -= page.bytes;
    }
  }

  #endIfRetired(): void {
    if (this.#retired !== undefined && this.#open.size === 0) void this.stop(this.#retired);
  }

  #end(reason: EndReason): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(reason);
  }
}

function sumOf(processes: readonly MeasuredProcess[]): number {
  return processes.reduce((sum, { bytes }) => sum + bytes, 0);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
