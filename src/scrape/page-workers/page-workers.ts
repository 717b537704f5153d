import { availableParallelism } from 'node:os';
import { TrawlError } from '../../errors.ts';
import type { ScrapedPage } from '../document.ts';
import { type DocumentParts, makeDocument } from '../make-document.ts';
import type { PackedPage, PackParts } from '../pack-page.ts';
import type { ScrapeOptions } from '../request.ts';
import type { Made, Parts, Task } from './messages.ts';
import { PageWorker } from './page-worker.ts';

/**
 * Makes the document of a page, somewhere. Throws what `makeDocument` throws, and the signal's reason as soon as it aborts.
 * @throws TrawlError SCRAPE_PAGE_TOO_LARGE when reading takes too much memory, OVERLOADED when too many pages wait
 */
export type MakeDocument = (parts: DocumentParts, signal: AbortSignal) => Promise<ScrapedPage>;
/** The same for a page that nobody waits for. Its bytes are the caller's no more. */
export type PackPage = (parts: PackParts, signal: AbortSignal) => Promise<PackedPage>;

/**
 * Pages up to this many bytes may be read in the calling thread; half of all pages are shorter than 180,000. Reading
 * one takes it 2 to 5 ms, and 4 ms longer in a worker on a busy machine. The worst page of this size that was found, one
 * of `<b>` alone, takes a second: hence the two that follow.
 */
const INLINE_BYTES = 200_000;
/** Reading that takes this long, in milliseconds of processor time, is not that of a usual page of any size up to the limit. */
const SLOW_MS = 50;
/** After a slow page, this many times as long as it took nothing is read in the calling thread. */
const SLOW_REST = 20;

/** Pages of jobs can keep every processor busy, and one thread is left to the others, however long those take. */
const MOST_ASIDES = Math.min(8, availableParallelism());
const MOST_WORKERS = MOST_ASIDES + 1;
/**
 * When pages of jobs have waited for so long without a pause they get twice the threads, from one on. A thread takes 50 MB,
 * and V8 three seconds to compile the reader in it: the first 2,000 pages came no sooner with two (183 a second, and 174
 * with one), later ones did (237 and 192).
 */
const LASTING_MS = 15_000;
const MOST_WAITING = 1000;
const MOST_BYTES = 200_000_000;
/**
 * Pages of jobs that wait for a thread, in bytes, before no more should be fetched: 80 usual ones, which threads take half
 * a second for. What waits beyond them would be memory and no speed.
 */
const ENOUGH_BYTES = 16_000_000;
/** After this long without work a worker ends: its memory goes back. */
const IDLE_MS = 30_000;

/** The most that a page of a million elements or of 50 MB takes is between 512 and 768 MB. */
const HEAP_MB = 768;

/** Pages that wait for a worker, in the order in which they came. */
type Line = Set<PromiseWithResolvers<PageWorker>>;

/** Reads small pages at once in the calling thread, and large pages, or many, in threads of their own. */
export class PageWorkers implements AsyncDisposable {
  readonly #heapMb: number;
  readonly #workers = new Set<PageWorker>();
  /** Each with the timer that ends it. */
  readonly #idle = new Map<PageWorker, NodeJS.Timeout>();
  readonly #turns: Line = new Set();
  /** The same of pages that nobody waits for, and how many of them are being read. */
  readonly #asides: Line = new Set();
  #asidesRead = 0;
  /** How many threads they may have, and since when some have waited for one, or for one more. */
  #asideThreads = 1;
  #asidesWaitSince: number | undefined;
  /** Of all pages that wait or are being read. */
  #bytes = 0;
  #inlineAgainAt = 0;
  #closed = false;

  /** @param options `heapMb`: the memory that the reading of one page may take, in megabytes */
  constructor({ heapMb = HEAP_MB }: { heapMb?: number } = {}) {
    this.#heapMb = heapMb;
  }

  readonly read: MakeDocument = async (parts, signal) => {
    signal.throwIfAborted();
    if (this.#isForInline(parts)) return this.#readInline(parts);
    return this.#runInLine(this.#turns, 'read', parts, signal);
  };

  /**
   * For pages that nobody waits for: always in a thread of their own, after all others, and never in the last one that is
   * free. While the first ones of 48 pages of a batch took their turns, a scrape took 974 ms, and 25 otherwise.
   */
  readonly pack: PackPage = async (parts, signal) => {
    signal.throwIfAborted();
    return this.#runInLine(this.#asides, 'pack', parts, signal);
  };

  /** Enough pages wait here: more need not be fetched. */
  get hasEnough(): boolean {
    return this.#bytes >= ENOUGH_BYTES;
  }

  /** Threads at work and without, and pages that wait for one. */
  get load(): { busy: number; idle: number; waiting: number } {
    const idle = this.#idle.size;
    return { busy: this.#workers.size - idle, idle, waiting: this.#turns.size + this.#asides.size };
  }

  /** Ends all threads. Pages that wait or are being read fail with SHUTTING_DOWN. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const line of [this.#turns, this.#asides]) {
      for (const turn of line) turn.reject(shuttingDown());
      line.clear();
    }
    await Promise.all([...this.#workers].map((worker) => worker.end(shuttingDown())));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #isForInline({ obtained, request }: DocumentParts): boolean {
    const { byteLength } = obtained.page.body;
    return byteLength <= INLINE_BYTES && performance.now() >= this.#inlineAgainAt && hasPlainSelectors(request);
  }

  #readInline(parts: DocumentParts): ScrapedPage {
    // Of the processor: on a busy machine, a usual page may take 50 ms by the clock.
    const start = process.threadCpuUsage();
    try {
      return makeDocument(parts);
    } finally {
      // This thread answers everybody else: at most a twentieth of its time goes into slow pages. Usual ones stay here
      // even when there are many, each in a turn of its own: sending every other away took 10.4 ms of CPU a scrape, not 7.2.
      const { user, system } = process.threadCpuUsage(start);
      const took = (user + system) / 1000;
      if (took > SLOW_MS) this.#inlineAgainAt = performance.now() + took * SLOW_REST;
    }
  }

  async #runInLine<T extends Task>(line: Line, task: T, parts: Parts<T>, signal: AbortSignal): Promise<Made<T>> {
    if (this.#closed) throw shuttingDown();
    if (line.size >= MOST_WAITING || this.#bytes >= MOST_BYTES) throw overloaded();
    // Of a page that was moved to a thread nothing is left here.
    const { byteLength } = parts.obtained.page.body;
    this.#bytes += byteLength;
    try {
      return await this.#runInWorker(line, task, parts, signal);
    } finally {
      this.#bytes -= byteLength;
    }
  }

  async #runInWorker<T extends Task>(line: Line, task: T, parts: Parts<T>, signal: AbortSignal): Promise<Made<T>> {
    const worker = await this.#freeWorker(line, signal);
    const stop = () => void worker.end(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      return await worker.run(task, parts);
    } finally {
      signal.removeEventListener('abort', stop);
      if (line === this.#asides) this.#asidesRead -= 1;
      this.#release(worker);
    }
  }

  async #freeWorker(line: Line, signal: AbortSignal): Promise<PageWorker> {
    const turn = Promise.withResolvers<PageWorker>();
    const giveUp = () => {
      line.delete(turn);
      turn.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    line.add(turn);
    this.#handOut();
    try {
      return await turn.promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  #handOut(): void {
    for (const turn of this.#turns) {
      if (!this.#give(this.#turns, turn)) return;
    }
    this.#shareThreads();
    for (const turn of this.#asides) {
      if (this.#asidesRead >= this.#asideThreads || !this.#give(this.#asides, turn)) return;
      this.#asidesRead += 1;
    }
  }

  /** More threads for pages that nobody waits for when those that they have are too few for long. */
  #shareThreads(): void {
    if (this.#asides.size === 0) {
      this.#asidesWaitSince = undefined;
      if (this.#asidesRead === 0) this.#asideThreads = 1;
      return;
    }
    const now = performance.now();
    this.#asidesWaitSince ??= now;
    if (now - this.#asidesWaitSince < LASTING_MS) return;
    this.#asideThreads = Math.min(MOST_ASIDES, this.#asideThreads * 2);
    this.#asidesWaitSince = now;
  }

  /** Tells whether there was a worker to give. */
  #give(line: Line, turn: PromiseWithResolvers<PageWorker>): boolean {
    const worker = this.#takeIdle() ?? this.#start();
    if (worker === undefined) return false;
    line.delete(turn);
    turn.resolve(worker);
    return true;
  }

  /** The one that was used last, so that those too many get old enough to end. */
  #takeIdle(): PageWorker | undefined {
    const last = [...this.#idle].at(-1);
    if (last === undefined) return undefined;
    const [worker, timer] = last;
    clearTimeout(timer);
    this.#idle.delete(worker);
    return worker;
  }

  #start(): PageWorker | undefined {
    if (this.#closed || this.#workers.size >= MOST_WORKERS) return undefined;
    const worker = new PageWorker(this.#heapMb, () => {
      this.#workers.delete(worker);
      clearTimeout(this.#idle.get(worker));
      this.#idle.delete(worker);
      this.#handOut();
    });
    this.#workers.add(worker);
    return worker;
  }

  #release(worker: PageWorker): void {
    if (!worker.alive) return;
    this.#idle.set(worker, setTimeout(() => void worker.end(shuttingDown()), IDLE_MS).unref());
    this.#handOut();
  }
}

/** Each plain selector takes 3 ms on a page that consists of `<b>` alone. */
const MOST_INLINE_SELECTORS = 20;

/** Other selectors than names, ids and classes look around: 0.25 s on a page of 10,000 characters, 1.4 s on 100,000. */
function hasPlainSelectors({ includeTags, excludeTags, attributes }: ScrapeOptions): boolean {
  const selectors = [...includeTags, ...excludeTags, ...attributes.map(({ selector }) => selector)];
  return selectors.length <= MOST_INLINE_SELECTORS && selectors.every((selector) => /^[\w.#-]+$/.test(selector));
}

function shuttingDown(): TrawlError {
  return new TrawlError('SHUTTING_DOWN', 'The service is shutting down.');
}

function overloaded(): TrawlError {
  return new TrawlError('OVERLOADED', 'Too many pages wait to be read. Try again in a moment.', {
    headers: { 'retry-after': '1' },
  });
}
