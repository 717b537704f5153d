import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TrawlError } from '../../errors.ts';
import { type Answer, fromAnswer, type Made, type Parts, type Task } from './messages.ts';

export interface PageThread {
  /** The memory that reading one page may take, in megabytes: where it takes more, the thread ends. */
  heapMb: number;
  /** The processor time that it may take, in milliseconds. The thread ends there too. */
  processorMs: number;
  /** What runs in the thread. */
  script: URL;
}

/** How long a page is read, by the clock, before its processor time is measured: usual ones cost a timer and no measurement. */
const FREE_MS = 1_000;
/** A page that has taken this much more processor time is slow: its thread gives way to all others. */
const SLOW_MS = 1_000;
const SLOW_NICENESS = 19;

/** A worker tells its number in the system once, where threads have a priority of their own. */
type Message = Answer<never> | { thread: number };

/** Reads pages. The published package holds JavaScript. */
export const READER = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);

interface Reading {
  resolve(made: never): void;
  reject(error: unknown): void;
  /** The next look at the processor time. */
  look?: NodeJS.Timeout;
}

/**
 * One thread that reads one page at a time. It is `idle` at first and between two pages, `reading` until a page is settled,
 * and `ended` from the moment that it is told to end or has died. It is never anything else after that.
 */
type State = { is: 'idle' } | { is: 'reading'; reading: Reading } | { is: 'ended' };

export class PageWorker {
  readonly #worker: Worker;
  readonly #thread: PageThread;
  #state: State = { is: 'idle' };
  #cause: unknown;
  #number: number | undefined;
  #hasGivenWay = false;

  /** @param onGone called once, when the thread is gone, whatever the reason */
  constructor(thread: PageThread, onGone: () => void) {
    this.#thread = thread;
    // Under `node --watch`, this variable has a thread report what it imports among its answers.
    const { WATCH_REPORT_DEPENDENCIES: _, ...env } = process.env;
    // Node gives a thread at its limit 16 MB more to end in; what asks for more than that at once ends the process. One
    // collection of a large young generation does: 3 of 10 processes died with the default size, none with 16 MB.
    const resourceLimits = { maxOldGenerationSizeMb: thread.heapMb, maxYoungGenerationSizeMb: 16 };
    // Flags of the process, such as --input-type, are not meant for its threads.
    this.#worker = new Worker(thread.script, { name: 'page reader', env, execArgv: [], resourceLimits });
    this.#worker.unref();
    this.#worker.on('message', (message: Message) => {
      if ('thread' in message) this.#number = message.thread;
      else this.#settle({ is: 'idle' }, (reading) => giveAnswer(reading, message));
    });
    this.#worker.on('error', (error: unknown) => {
      this.#cause = error;
    });
    this.#worker.on('exit', () => {
      this.#settle({ is: 'ended' }, (reading) => reading.reject(lost(this.#cause)));
      onGone();
    });
  }

  /** Whether it can be given a page. */
  get isIdle(): boolean {
    return this.#state.is === 'idle';
  }

  /** Whether the next page would be read after all others: a priority that was lowered cannot be raised without privileges. */
  get hasGivenWay(): boolean {
    return this.#hasGivenWay;
  }

  /**
   * Makes something of one page. Only for a worker that is idle, which it is again when this is settled, unless it has ended.
   * The bytes of a page that is packed are moved to the thread where they fill their buffer: the caller has them no more.
   * Throws what the maker throws, the reason for which the thread was ended, and why it has died.
   */
  run<T extends Task>(task: T, parts: Parts<T>): Promise<Made<T>> {
    if (!this.isIdle) throw new Error(`A page was given to a thread that is ${this.#state.is}.`);
    return new Promise((resolve, reject) => {
      const reading: Reading = { resolve, reject };
      this.#worker.postMessage({ task, parts }, task === 'pack' ? ownBuffer(parts.obtained.page.body) : []);
      this.#state = { is: 'reading', reading };
      // A process may end while its workers idle, and never while one reads.
      this.#worker.ref();
      this.#lookLater(reading, FREE_MS, undefined);
    });
  }

  /** Ends the thread now, also in the middle of a page; that page's reading fails with the reason. Resolves when it is gone. */
  async end(reason: unknown): Promise<void> {
    this.#settle({ is: 'ended' }, (reading) => reading.reject(reason));
    await this.#worker.terminate();
  }

  /** The page that is being read, if any, has come to its end. */
  #settle(next: State, tell: (reading: Reading) => void): void {
    const state = this.#state;
    if (state.is === 'ended') return;
    this.#state = next;
    if (state.is === 'idle') return;
    clearTimeout(state.reading.look);
    this.#worker.unref();
    tell(state.reading);
  }

  /** @param base the thread's processor time when it was first measured */
  #lookLater(reading: Reading, ms: number, base: number | undefined): void {
    reading.look = setTimeout(async () => {
      const used = await processorTime(this.#worker);
      if (this.#state.is === 'reading' && this.#state.reading === reading) this.#look(reading, used, base);
    }, ms);
    reading.look.unref();
  }

  #look(reading: Reading, used: number | undefined, base = used): void {
    if (used === undefined || base === undefined) {
      this.#lookLater(reading, FREE_MS, base);
      return;
    }
    const { processorMs } = this.#thread;
    const left = base + processorMs - FREE_MS - used;
    const untilSlow = base + SLOW_MS - used;
    if (left <= 0) void this.end(tooMuchWork(processorMs));
    else if (untilSlow > 0) this.#lookLater(reading, Math.min(left, untilSlow), base);
    else {
      this.#giveWay();
      this.#lookLater(reading, left, base);
    }
  }

  #giveWay(): void {
    if (this.#number === undefined) return;
    this.#hasGivenWay = true;
    try {
      setPriority(this.#number, SLOW_NICENESS);
    } catch {
      // It has just ended.
    }
  }
}

function giveAnswer({ resolve, reject }: Reading, answer: Answer<never>): void {
  try {
    resolve(fromAnswer(answer));
  } catch (error) {
    reject(error);
  }
}

/** Of a thread, in milliseconds. Undefined while it starts, and where Node cannot tell (before 24.6): there the deadline is the limit. */
async function processorTime(worker: Worker): Promise<number | undefined> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return undefined;
  }
}

function ownBuffer({ byteLength, buffer }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function tooMuchWork(processorMs: number): TrawlError {
  return new TrawlError(
    'SCRAPE_PAGE_TOO_LARGE',
    `Reading this page takes more than ${processorMs / 1000} s of processor time. Ask for "rawHtml", or for fewer formats and selectors.`,
  );
}

function lost(cause: unknown): TrawlError {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new TrawlError(
      'SCRAPE_PAGE_TOO_LARGE',
      'Reading this page takes more memory than one page may have. Ask for "rawHtml", or for a part with "includeTags".',
      { cause },
    );
  }
  return new TrawlError('INTERNAL_ERROR', 'Reading the page failed in a way that ended its thread.', { cause });
}
