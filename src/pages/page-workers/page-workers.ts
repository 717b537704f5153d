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
 * Makes the document of a page, somewhere. Throws what `makeDocument` throws, and the signal's reason as soon as it aborts.
 * @param share the id of the team: teams get threads in turn
 * @throws TrawlError SCRAPE_PAGE_TOO_LARGE when reading takes too much memory or processor time, OVERLOADED when too many pages wait
 */
export type MakeDocument = (parts: DocumentParts, share: string, signal: AbortSignal) => Promise<ScrapedPage>;
/** The same for a page that nobody waits for. Its bytes are the caller's no more. */
export type PackPage = (parts: PackParts, share: string, signal: AbortSignal) => Promise<PackedPage>;

/**
 * Pages up to this many bytes may be read in the calling thread; half of all pages are shorter than 180,000. Reading
 * one takes it 2 to 5 ms, and 4 ms longer in a worker on a busy machine. The worst page of this size that was found, one
 * of `<b>` alone, takes a second: hence the two that follow.
 */
const INLINE_BYTES = 200_000;
/** Reading that takes this long, in milliseconds of processor time, is not that of a usual page of any size up to the limit. */
const SLOW_MS = 50;
/**
 * After a slow page nothing of its team is read in the calling thread for this many times as long as it took, times how much
 * too slow it was: 1.2 s after 60 ms, 400 s after 1 s.
 */
const SLOW_REST = 20;
/** When so many teams rest at the same time, all do: slow pages of all together must not fill the calling thread. */
const MOST_RESTING = 4;

/** Pages of jobs can keep every processor busy. A team that has none of these threads gets one more when they are taken. */
const MOST_ASIDES = Math.min(8, availableParallelism());
/** Two are left to the pages that somebody waits for, whatever jobs do: one team alone gets only one of the two. */
const MOST_WORKERS = MOST_ASIDES + 1 + 2;
/** What pages of jobs count as among the teams that share the threads. */
const ASIDES = 'pages of jobs';
/**
 * When pages of jobs have waited for so long without a pause they get twice the threads, from one on. A thread takes 50 MB,
 * and V8 three seconds to compile the reader in it: the first 2,000 pages came no sooner with two (183 a second, and 174
 * with one), later ones did (237 and 192).
 */
const LASTING_MS = 15_000;
/** Pages that wait or are being read, in bytes: one team has half of it, and the next half of what is left. */
const MOST_BYTES = 200_000_000;
/** A page counts as this much at least, so that one team has a thousand at the most, and as this much at most. */
const LEAST_BYTES = 100_000;
const LARGEST_BYTES = 50_000_000;
/**
 * Pages of jobs that wait for a thread, in bytes, before no more should be fetched: one team has half of it, 80 usual pages,
 * which threads take half a second for. What waits beyond them would be memory and no speed. A team that has none waiting may
 * always fetch some, for those of the others may be slow.
 */
const ENOUGH_BYTES = 32_000_000;
/** After this long without work a worker ends: its memory goes back. */
const IDLE_MS = 30_000;

/** The most that a page of a million elements or of 50 MB takes is between 512 and 768 MB. */
const HEAP_MB = 768;

/** The processor time that one page may take. One of a million elements takes 2 to 6 s. */
const PROCESSOR_MS = 20_000;

interface Turn extends PromiseWithResolvers<PageWorker> {
  share: string;
}

/** Pages that wait for a worker. */
type Line = FairLine<Turn>;

export interface PageWorkersOptions extends Partial<PageThread> {
  /** After how long without work a worker ends, in milliseconds. */
  idleMs?: number;
}

/** Reads small pages at once in the calling thread, and large pages, or many, in threads of their own. */
export class PageWorkers implements AsyncDisposable {
  readonly #thread: PageThread;
  readonly #idleMs: number;
  /** All whose thread is there, also while it ends. */
  readonly #workers = new Set<PageWorker>();
  /** Those that can be given a page, each with the timer that ends it. A worker that is to end leaves first. */
  readonly #idle = new Map<PageWorker, NodeJS.Timeout>();
  readonly #turns: Line = new FairLine();
  /** The same of pages that nobody waits for. */
  readonly #asides: Line = new FairLine();
  /** Who has how many threads. */
  readonly #threads = new Shares(MOST_WORKERS);
  readonly #asidesRead = new Shares(MOST_ASIDES + 1);
  /** How many threads pages that nobody waits for may have, and since when some have waited for one, or for one more. */
  #asideThreads = 1;
  #asidesWaitSince: number | undefined;
  /** Of all pages that wait or are being read, and of those that nobody waits for. */
  readonly #bytes = new Shares(MOST_BYTES);
  readonly #asideBytes = new Shares(ENOUGH_BYTES);
  /** Teams of which nothing is read in the calling thread, and until when. */
  readonly #resting = new Map<string, number>();
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
   * For pages that nobody waits for: always in a thread of their own, after all others, and never in the last ones that are
   * free. While the first ones of 48 pages of a batch took their turns, a scrape took 974 ms, and 25 otherwise.
   */
  readonly pack: PackPage = (parts, share, signal) => this.#runAside('pack', parts, share, signal);

  /** The same for pages that are not packed yet. */
  readonly readAside: MakeDocument = (parts, share, signal) => this.#runAside('read', parts, share, signal);

  /** The teams of which enough pages of jobs wait here: more need not be fetched. */
  get full(): string[] {
    return [...this.#asideBytes.holders].filter((share) => !this.#asideBytes.mayTake(share, 1));
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
      for (let turn = line.take(); turn !== undefined; turn = line.take()) turn.reject(shuttingDown());
    }
    await Promise.all([...this.#workers].map((worker) => this.#end(worker, shuttingDown())));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #isForInline({ obtained, request }: DocumentParts, share: string): boolean {
    const { byteLength } = obtained.page.body;
    return byteLength <= INLINE_BYTES && !this.#rests(share) && hasPlainSelectors(request);
  }

  #rests(share: string): boolean {
    const now = performance.now();
    for (const [one, until] of this.#resting) if (now >= until) this.#resting.delete(one);
    return this.#resting.has(share) || this.#resting.size >= MOST_RESTING;
  }

  #readInline(parts: DocumentParts, share: string): ScrapedPage {
    // Of the processor: on a busy machine, a usual page may take 50 ms by the clock.
    const start = process.threadCpuUsage();
    try {
      return makeDocument(parts);
    } finally {
      // This thread answers everybody else: at most a twentieth of its time goes into slow pages of one team. Usual ones stay
      // here even when there are many, each in a turn of its own: sending every other away took 10.4 ms of CPU a scrape, not 7.2.
      const { user, system } = process.threadCpuUsage(start);
      const took = (user + system) / 1000;
      if (took > SLOW_MS) this.#resting.set(share, performance.now() + (took * SLOW_REST * took) / SLOW_MS);
    }
  }

  async #runAside<T extends Task>(task: T, parts: Parts<T>, share: string, signal: AbortSignal): Promise<Made<T>> {
    signal.throwIfAborted();
    const { byteLength } = parts.obtained.page.body;
    this.#asideBytes.add(share, byteLength);
    try {
      return await this.#runInLine(this.#asides, task, parts, share, signal);
    } finally {
      this.#asideBytes.add(share, -byteLength);
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
    // Of a page that was moved to a thread nothing is left here.
    const bytes = Math.min(Math.max(parts.obtained.page.body.byteLength, LEAST_BYTES), LARGEST_BYTES);
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
      // A team whose pages are slow waits until the others have had as much time.
      line.charge(share, performance.now() - start);
      this.#release(worker, () => this.#count(line, share, -1));
    }
  }

  /** Takes a thread of the share's, which has to be given back. */
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
    this.#give(this.#asides, (share) => this.#mayReadAside(share));
  }

  /** Gives workers to those who wait, for as long as there are any of both. */
  #give(line: Line, mayGo: (share: string) => boolean): void {
    while (this.#hasWorker) {
      const turn = line.take(mayGo);
      if (turn === undefined) return;
      this.#count(line, turn.share, 1);
      turn.resolve(this.#takeIdle() ?? this.#start());
    }
  }

  #count(line: Line, share: string, threads: 1 | -1): void {
    const isAside = line === this.#asides;
    this.#threads.add(isAside ? ASIDES : share, threads);
    if (isAside) this.#asidesRead.add(share, threads);
  }

  #mayReadAside(share: string): boolean {
    const { taken } = this.#asidesRead;
    return taken < this.#asideThreads || (this.#asidesRead.of(share) === 0 && taken <= MOST_ASIDES);
  }

  /** More threads for pages that nobody waits for when those that they have are too few for long. */
  #shareThreads(): void {
    if (this.#asides.size === 0) {
      this.#asidesWaitSince = undefined;
      if (this.#asidesRead.taken === 0) this.#asideThreads = 1;
      return;
    }
    const now = performance.now();
    this.#asidesWaitSince ??= now;
    if (now - this.#asidesWaitSince < LASTING_MS) return;
    this.#asideThreads = Math.min(MOST_ASIDES, this.#asideThreads * 2);
    this.#asidesWaitSince = now;
  }

  get #hasWorker(): boolean {
    return !this.#closed && (this.#idle.size > 0 || this.#workers.size < MOST_WORKERS);
  }

  /** The one that was used last, so that those too many get old enough to end. */
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

  /** @param free gives the thread back to those who share them: one that ends can take long for it, and is its team's until then */
  #release(worker: PageWorker, free: () => void): void {
    if (!worker.isIdle || worker.hasGivenWay) {
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

  /** The only way in which a worker is ended: nobody can be given it any more. */
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
