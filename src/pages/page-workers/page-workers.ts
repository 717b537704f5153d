import { availableParallelism } from 'node:os';
import { TrawlError } from '../../errors.ts';
import { FairLine } from '../../fair-line.ts';
import { Shares } from '../../shares.ts';
import type { ScrapedPage } from '../document.ts';
import { type DocumentParts, makeDocument } from '../make-document.ts';
import type { PackedPage, PackParts } from '../pack-page.ts';
import type { ScrapeOptions } from '../request.ts';
import type { Made, Parts, Task } from './messages.ts';
import { type PageThread, PageWorker, READER } from './page-worker.ts';

/**
 * Makes the document of a page, in this thread or another. Throws what `makeDocument` throws, and the signal's reason as soon
 * as it aborts.
 * @param share the id of the team: teams get threads in turn
 * @throws TrawlError SCRAPE_PAGE_TOO_LARGE when reading takes too much memory or CPU time, OVERLOADED when too many pages wait
 */
export type MakeDocument = (parts: DocumentParts, share: string, signal: AbortSignal) => Promise<ScrapedPage>;
/** Makes and compresses the document of a background page. The bytes of the page may be transferred: do not use them again. */
export type PackPage = (parts: PackParts, share: string, signal: AbortSignal) => Promise<PackedPage>;

/**
 * Pages up to this many bytes may be read in the main thread; half of all pages are shorter than 180,000. Reading one takes
 * 2 to 5 ms there, and 4 ms longer in a worker on a busy machine. The worst known page of this size, one that consists of `<b>`
 * alone, takes a second: hence the next two constants.
 */
const INLINE_BYTES = 200_000;
/** No typical page up to that size takes this long, in milliseconds of CPU time. */
const SLOW_MS = 50;
/**
 * After a slow page, no page of its team is read in the main thread for this many times the time it took, times the factor by
 * which it was too slow: 1.4 s after 60 ms, 400 s after 1 s.
 */
const SLOW_COOLDOWN = 20;
/** When this many teams are cooling down, all teams are: slow pages of many teams together must not block the main thread. */
const MAX_COOLING_DOWN = 4;

/** Pages of jobs can keep every CPU busy. If these threads are all in use, a team that has none of them gets one more. */
const MAX_BACKGROUND_THREADS = Math.min(8, availableParallelism());
/** Two threads are reserved for scrapes, whatever jobs do. A single team gets only one of the two. */
const MAX_WORKERS = MAX_BACKGROUND_THREADS + 1 + 2;
/** The share under which all background pages count among the teams that share the threads. */
const BACKGROUND = 'pages of jobs';
/**
 * Background pages start with one thread, and get twice as many each time some have waited this long without a break. A thread
 * takes 50 MB, and V8 three seconds to compile the reader in it: two threads hardly sped up the first 2,000 pages (183 a second
 * instead of 174), but did speed up later ones (237 instead of 192).
 */
const LONG_WAIT_MS = 15_000;
/** Pages that wait or are being read, in bytes. One team gets at most half of it, and the next half of the rest. */
const MAX_BYTES = 200_000_000;
/** A page counts as at least this much, so that one team has at most a thousand, and as at most the next figure. */
const MIN_PAGE_BYTES = 100_000;
const MAX_PAGE_BYTES = 50_000_000;
/**
 * When this many bytes of background pages wait, no more should be fetched. One team gets half of it: 80 typical pages, which
 * the threads read in half a second. A longer queue would cost memory and gain no speed. A team that has none waiting may
 * always fetch some, because the pages of other teams may be slow.
 */
const FULL_BYTES = 32_000_000;
/** A worker without work ends after this long, to free its memory. */
const IDLE_MS = 30_000;

/** A page of a million elements or of 50 MB takes at most between 512 and 768 MB. */
const HEAP_MB = 768;

/** The CPU time that one page may take. A page of a million elements takes 2 to 6 s. */
const PROCESSOR_MS = 20_000;

interface Turn extends PromiseWithResolvers<PageWorker> {
  share: string;
}

/** Pages that wait for a worker. */
type Line = FairLine<Turn>;

export interface PageWorkersOptions extends Partial<PageThread> {
  /** How long a worker without work lives, in milliseconds. */
  idleMs?: number;
}

/** Reads small pages immediately in the main thread, and large or slow ones in reading threads. */
export class PageWorkers implements AsyncDisposable {
  readonly #thread: PageThread;
  readonly #idleMs: number;
  /** All workers whose thread has not exited yet. */
  readonly #workers = new Set<PageWorker>();
  /** Workers that can take a page, each with the timer that ends it. A worker is removed before it is ended. */
  readonly #idle = new Map<PageWorker, NodeJS.Timeout>();
  readonly #turns: Line = new FairLine();
  /** The queue of background pages. */
  readonly #background: Line = new FairLine();
  /** How many threads each team has. */
  readonly #threads = new Shares(MAX_WORKERS);
  readonly #backgroundReads = new Shares(MAX_BACKGROUND_THREADS + 1);
  /** How many threads background pages may use, and since when some have been waiting for one. */
  #backgroundThreads = 1;
  #backgroundWaitSince: number | undefined;
  /** Bytes of all pages that wait or are being read, and of the background pages among them. */
  readonly #bytes = new Shares(MAX_BYTES);
  readonly #backgroundBytes = new Shares(FULL_BYTES);
  /** Teams whose pages are not read in the main thread, and until when. */
  readonly #coolingDown = new Map<string, number>();
  #closed = false;

  constructor(options: PageWorkersOptions = {}) {
    const { heapMb = HEAP_MB, processorMs = PROCESSOR_MS, script = READER, idleMs = IDLE_MS } = options;
    this.#thread = { heapMb, processorMs, script };
    this.#idleMs = idleMs;
  }

  readonly read: MakeDocument = async (parts, share, signal) => {
    signal.throwIfAborted();
    if (this.#isForInline(parts, share)) return this.#readInline(parts, share);
    return this.#runInLine(this.#turns, 'read', parts, share, signal);
  };

  /**
   * For background pages, which are always read in reading threads, after all other pages, and never in the last free threads.
   * When the first of 48 pages of a batch could take all threads, a scrape took 974 ms instead of 25.
   */
  readonly pack: PackPage = (parts, share, signal) => this.#runInBackground('pack', parts, share, signal);

  /** Reads a background page without packing it. */
  readonly readInBackground: MakeDocument = (parts, share, signal) =>
    this.#runInBackground('read', parts, share, signal);

  /** The teams that have enough background pages waiting here: no more should be fetched for them. */
  get full(): string[] {
    return [...this.#backgroundBytes.holders].filter((share) => !this.#backgroundBytes.mayTake(share, 1));
  }

  /** The number of busy and idle threads, and of pages that wait for one. */
  get load(): { busy: number; idle: number; waiting: number } {
    const idle = this.#idle.size;
    return { busy: this.#workers.size - idle, idle, waiting: this.#turns.size + this.#background.size };
  }

  /** Ends all threads. Pages that wait or are being read fail with SHUTTING_DOWN. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const line of [this.#turns, this.#background]) {
      for (let turn = line.take(); turn !== undefined; turn = line.take()) turn.reject(shuttingDown());
    }
    await Promise.all([...this.#workers].map((worker) => this.#end(worker, shuttingDown())));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #isForInline({ obtained, request }: DocumentParts, share: string): boolean {
    const { byteLength } = obtained.page.body;
    return byteLength <= INLINE_BYTES && !this.#isCoolingDown(share) && hasPlainSelectors(request);
  }

  #isCoolingDown(share: string): boolean {
    const now = performance.now();
    for (const [one, until] of this.#coolingDown) if (now >= until) this.#coolingDown.delete(one);
    return this.#coolingDown.has(share) || this.#coolingDown.size >= MAX_COOLING_DOWN;
  }

  #readInline(parts: DocumentParts, share: string): ScrapedPage {
    // CPU time, because a typical page may take 50 ms by the clock on a busy machine.
    const start = process.threadCpuUsage();
    try {
      return makeDocument(parts);
    } finally {
      // This thread serves everyone: at most a twentieth of its time may go into slow pages of one team. Typical pages are read
      // here even if there are many, each in its own turn: with every second one in a worker, a scrape took 10.4 ms of CPU, not 7.2.
      const { user, system } = process.threadCpuUsage(start);
      const took = (user + system) / 1000;
      if (took > SLOW_MS) this.#coolingDown.set(share, performance.now() + (took * SLOW_COOLDOWN * took) / SLOW_MS);
    }
  }

  async #runInBackground<T extends Task>(
    task: T,
    parts: Parts<T>,
    share: string,
    signal: AbortSignal,
  ): Promise<Made<T>> {
    signal.throwIfAborted();
    const { byteLength } = parts.obtained.page.body;
    this.#backgroundBytes.add(share, byteLength);
    try {
      return await this.#runInLine(this.#background, task, parts, share, signal);
    } finally {
      this.#backgroundBytes.add(share, -byteLength);
    }
  }

  async #runInLine<T extends Task>(
    line: Line,
    task: T,
    parts: Parts<T>,
    share: string,
    signal: AbortSignal,
  ): Promise<Made<T>> {
    if (this.#closed) throw shuttingDown();
    // Computed now, because a page that is transferred to a thread leaves no length behind.
    const bytes = Math.min(Math.max(parts.obtained.page.body.byteLength, MIN_PAGE_BYTES), MAX_PAGE_BYTES);
    if (!this.#bytes.mayTake(share, bytes)) throw overloaded();
    this.#bytes.add(share, bytes);
    try {
      return await this.#runInWorker(line, task, parts, share, signal);
    } finally {
      this.#bytes.add(share, -bytes);
    }
  }

  async #runInWorker<T extends Task>(
    line: Line,
    task: T,
    parts: Parts<T>,
    share: string,
    signal: AbortSignal,
  ): Promise<Made<T>> {
    const worker = await this.#freeWorker(line, share, signal);
    const stop = () => void this.#end(worker, signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const start = performance.now();
    try {
      signal.throwIfAborted();
      if (this.#closed) throw shuttingDown();
      return await worker.run(task, parts);
    } finally {
      signal.removeEventListener('abort', stop);
      // A team with slow pages waits until the others have had as much time.
      line.charge(share, performance.now() - start);
      this.#release(worker, () => this.#count(line, share, -1));
    }
  }

  /** Waits for a thread. The caller has to release it. */
  async #freeWorker(line: Line, share: string, signal: AbortSignal): Promise<PageWorker> {
    const turn = { share, ...Promise.withResolvers<PageWorker>() };
    const giveUp = () => {
      line.delete(share, turn);
      turn.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    line.add(share, turn);
    this.#handOut();
    try {
      return await turn.promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  #handOut(): void {
    this.#give(this.#turns, (share) => this.#threads.mayTake(share, 1));
    this.#shareThreads();
    this.#give(this.#background, (share) => this.#mayReadInBackground(share));
  }

  /** Gives workers to waiting pages until there are no more of one or the other. */
  #give(line: Line, mayGo: (share: string) => boolean): void {
    while (this.#hasWorker) {
      const turn = line.take(mayGo);
      if (turn === undefined) return;
      this.#count(line, turn.share, 1);
      turn.resolve(this.#takeIdle() ?? this.#start());
    }
  }

  #count(line: Line, share: string, threads: 1 | -1): void {
    const isBackground = line === this.#background;
    this.#threads.add(isBackground ? BACKGROUND : share, threads);
    if (isBackground) this.#backgroundReads.add(share, threads);
  }

  #mayReadInBackground(share: string): boolean {
    const { taken } = this.#backgroundReads;
    return (
      taken < this.#backgroundThreads || (this.#backgroundReads.of(share) === 0 && taken <= MAX_BACKGROUND_THREADS)
    );
  }

  /** Raises the number of background threads if there have been too few for long. */
  #shareThreads(): void {
    if (this.#background.size === 0) {
      this.#backgroundWaitSince = undefined;
      if (this.#backgroundReads.taken === 0) this.#backgroundThreads = 1;
      return;
    }
    const now = performance.now();
    this.#backgroundWaitSince ??= now;
    if (now - this.#backgroundWaitSince < LONG_WAIT_MS) return;
    this.#backgroundThreads = Math.min(MAX_BACKGROUND_THREADS, this.#backgroundThreads * 2);
    this.#backgroundWaitSince = now;
  }

  get #hasWorker(): boolean {
    return !this.#closed && (this.#idle.size > 0 || this.#workers.size < MAX_WORKERS);
  }

  /** Takes the worker that was used last, so that surplus workers stay idle long enough to end. */
  #takeIdle(): PageWorker | undefined {
    const last = [...this.#idle.keys()].at(-1);
    if (last !== undefined) this.#leaveIdle(last);
    return last;
  }

  #start(): PageWorker {
    const worker = new PageWorker(this.#thread, () => {
      this.#workers.delete(worker);
      this.#leaveIdle(worker);
      this.#handOut();
    });
    this.#workers.add(worker);
    return worker;
  }

  /** @param free returns the thread to the pool. A thread that takes long to exit counts against its team until then. */
  #release(worker: PageWorker, free: () => void): void {
    if (!worker.isIdle || worker.isLowPriority) {
      void this.#end(worker, shuttingDown()).then(() => {
        free();
        this.#handOut();
      });
      return;
    }
    const end = () => void this.#end(worker, shuttingDown());
    this.#idle.set(worker, setTimeout(end, this.#idleMs).unref());
    free();
    this.#handOut();
  }

  /** Workers are ended only here, so that a page is never given to one that is ending. */
  #end(worker: PageWorker, reason: unknown): Promise<void> {
    this.#leaveIdle(worker);
    return worker.end(reason);
  }

  #leaveIdle(worker: PageWorker): void {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
  }
}

/** Each plain selector takes 3 ms on a page that consists of `<b>` alone. */
const MAX_INLINE_SELECTORS = 20;

/** Selectors beyond names, ids and classes examine other elements: 0.25 s on a page of 10,000 characters, 1.4 s on 100,000. */
function hasPlainSelectors({ includeTags, excludeTags, attributes }: ScrapeOptions): boolean {
  const selectors = [...includeTags, ...excludeTags, ...attributes.map(({ selector }) => selector)];
  return selectors.length <= MAX_INLINE_SELECTORS && selectors.every((selector) => /^[\w.#-]+$/.test(selector));
}

function shuttingDown(): TrawlError {
  return new TrawlError('SHUTTING_DOWN', 'The service is shutting down.');
}

function overloaded(): TrawlError {
  return new TrawlError('OVERLOADED', 'Too many pages are waiting to be read. Try again in a moment.', {
    headers: { 'retry-after': '1' },
  });
}
