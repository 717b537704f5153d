import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TrawlError } from '../../errors.ts';
import { type Answer, fromAnswer, type Made, type Parts, type Task } from './messages.ts';

export interface PageThread {
  /** The memory that reading one page may take, in megabytes. If it takes more, the thread is ended. */
  heapMb: number;
  /** The CPU time that reading one page may take, in milliseconds. If it takes more, the thread is ended. */
  processorMs: number;
  /** The script that runs in the thread. */
  script: URL;
}

/** The wall-clock time before the CPU time of a page is measured: a typical page costs a timer and no measurement. */
const FREE_MS = 1_000;
/** A page that takes this much more CPU time is slow: the priority of its thread is lowered below all others. */
const SLOW_MS = 1_000;
const SLOW_NICENESS = 19;

/** On systems where threads have their own priority, a thread first sends its thread id. */
type Message = Answer<never> | { threadId: number };

/** Reads pages. The published package holds JavaScript. */
export const READER = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);

interface Reading {
  resolve(made: never): void;
  reject(error: unknown): void;
  /** The next check of the CPU time. */
  nextCheck?: NodeJS.Timeout;
}

/**
 * One thread that reads one page at a time. It is `idle` at first and between two pages, `reading` until a page is finished,
 * and `ended`, which is final, as soon as it is asked to end or dies.
 */
type State = { is: 'idle' } | { is: 'reading'; reading: Reading } | { is: 'ended' };

export class PageWorker {
  readonly #worker: Worker;
  readonly #thread: PageThread;
  #state: State = { is: 'idle' };
  #cause: unknown;
  #threadId: number | undefined;
  #isLowPriority = false;

  /** @param onGone called once, when the thread has exited for whatever reason */
  constructor(thread: PageThread, onGone: () => void) {
    this.#thread = thread;
    // Under `node --watch`, this variable makes a thread report its imports among its answers.
    const { WATCH_REPORT_DEPENDENCIES: _, ...env } = process.env;
    // Node gives a thread at its limit 16 MB more to exit. An allocation of more than that at once kills the process, and a
    // single collection of a large young generation can be one: 3 of 10 processes died with the default size, none with 16 MB.
    const resourceLimits = { maxOldGenerationSizeMb: thread.heapMb, maxYoungGenerationSizeMb: 16 };
    // Flags of the process, such as --input-type, are not meant for its threads.
    this.#worker = new Worker(thread.script, { name: 'page reader', env, execArgv: [], resourceLimits });
    this.#worker.unref();
    this.#worker.on('message', (message: Message) => {
      if ('threadId' in message) this.#threadId = message.threadId;
      else this.#finish({ is: 'idle' }, (reading) => giveAnswer(reading, message));
    });
    this.#worker.on('error', (error: unknown) => {
      this.#cause = error;
    });
    this.#worker.on('exit', () => {
      this.#finish({ is: 'ended' }, (reading) => reading.reject(threadDied(this.#cause)));
      onGone();
    });
  }

  /** Whether it can take a page. */
  get isIdle(): boolean {
    return this.#state.is === 'idle';
  }

  /** Whether it runs at the lowest priority, and would for its next page too: raising a priority again takes privileges. */
  get isLowPriority(): boolean {
    return this.#isLowPriority;
  }

  /**
   * Runs a task on one page. The worker must be idle, and is again when the promise settles, unless it has ended. For `pack`, the
   * bytes of the page are transferred to the thread if they fill their buffer, so the caller loses them. Throws the error of the
   * task, the reason for which the thread was ended, or the cause of its death.
   */
  run<T extends Task>(task: T, parts: Parts<T>): Promise<Made<T>> {
    if (!this.isIdle) throw new Error(`A page was sent to a thread that is ${this.#state.is}.`);
    return new Promise((resolve, reject) => {
      const reading: Reading = { resolve, reject };
      this.#worker.postMessage({ task, parts }, task === 'pack' ? ownBuffer(parts.obtained.page.body) : []);
      this.#state = { is: 'reading', reading };
      // The process may exit while its workers are idle, but not while one reads.
      this.#worker.ref();
      this.#scheduleCheck(reading, FREE_MS, undefined);
    });
  }

  /** Ends the thread now, even in the middle of a page, which then fails with the reason. Resolves when the thread has exited. */
  async end(reason: unknown): Promise<void> {
    this.#finish({ is: 'ended' }, (reading) => reading.reject(reason));
    await this.#worker.terminate();
  }

  /** Enters the next state, and resolves or rejects the page that was being read, if any. */
  #finish(next: State, notify: (reading: Reading) => void): void {
    const state = this.#state;
    if (state.is === 'ended') return;
    this.#state = next;
    if (state.is === 'idle') return;
    clearTimeout(state.reading.nextCheck);
    this.#worker.unref();
    notify(state.reading);
  }

  /** @param base the thread's CPU time when it was first measured */
  #scheduleCheck(reading: Reading, ms: number, base: number | undefined): void {
    reading.nextCheck = setTimeout(async () => {
      const used = await processorTime(this.#worker);
      if (this.#state.is === 'reading' && this.#state.reading === reading) this.#checkTime(reading, used, base);
    }, ms);
    reading.nextCheck.unref();
  }

  #checkTime(reading: Reading, used: number | undefined, base = used): void {
    if (used === undefined || base === undefined) {
      this.#scheduleCheck(reading, FREE_MS, base);
      return;
    }
    const { processorMs } = this.#thread;
    const left = base + processorMs - FREE_MS - used;
    const untilSlow = base + SLOW_MS - used;
    if (left <= 0) void this.end(tooMuchWork(processorMs));
    else if (untilSlow > 0) this.#scheduleCheck(reading, Math.min(left, untilSlow), base);
    else {
      this.#lowerPriority();
      this.#scheduleCheck(reading, left, base);
    }
  }

  #lowerPriority(): void {
    if (this.#threadId === undefined) return;
    this.#isLowPriority = true;
    try {
      setPriority(this.#threadId, SLOW_NICENESS);
    } catch {
      // The thread has just exited.
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

/** CPU time of a thread, in milliseconds. Undefined while it starts, and before Node 24.6, where only the deadline limits it. */
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
    `Reading this page takes more than ${processorMs / 1000} s of CPU time. Ask for "rawHtml", or for fewer formats and selectors.`,
  );
}

function threadDied(cause: unknown): TrawlError {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new TrawlError(
      'SCRAPE_PAGE_TOO_LARGE',
      'Reading this page takes more memory than one page may use. Ask for "rawHtml", or for a part with "includeTags".',
      { cause },
    );
  }
  return new TrawlError('INTERNAL_ERROR', 'The thread that read the page crashed.', { cause });
}
