import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TrawlError } from '../../errors.ts';
import { type Answer, fromAnswer, type Made, type Parts, type Task } from './messages.ts';

interface Reading {
  resolve(made: never): void;
  reject(error: unknown): void;
}

/** One thread that reads one page at a time. */
export class PageWorker {
  readonly #worker: Worker;
  #reading: Reading | undefined;
  #cause: unknown;
  #alive = true;

  /**
   * @param heapMb the memory that reading may take, in megabytes: where it takes more, the thread ends
   * @param ended called once, when the thread is gone, whatever the reason
   */
  constructor(heapMb: number, ended: () => void) {
    // The published package holds JavaScript.
    const script = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);
    // Under `node --watch`, this variable has a thread report what it imports among its answers.
    const { WATCH_REPORT_DEPENDENCIES: _, ...env } = process.env;
    // Node gives a thread at its limit 16 MB more to end in; what asks for more than that at once ends the process. One
    // collection of a large young generation does: 3 of 10 processes died with the default size, none with 16 MB.
    const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 };
    // Flags of the process, such as --input-type, are not meant for its threads.
    this.#worker = new Worker(script, { name: 'page reader', env, execArgv: [], resourceLimits });
    this.#worker.unref();
    this.#worker.on('message', (answer: Answer<never>) => this.#settle(answer));
    this.#worker.on('error', (error: unknown) => {
      this.#cause = error;
    });
    this.#worker.on('exit', () => {
      this.#alive = false;
      this.#finish()?.reject(lost(this.#cause));
      ended();
    });
  }

  /** It has not been ended and has not died. */
  get alive(): boolean {
    return this.#alive;
  }

  /**
   * Makes something of one page; the next may come when this is settled. The bytes of a page that is packed are moved to
   * the thread where they fill their buffer: the caller has them no more. Throws what the maker throws, and when the
   * thread dies.
   */
  run<T extends Task>(task: T, parts: Parts<T>): Promise<Made<T>> {
    // A process may end while its workers idle, and never while one reads.
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#reading = { resolve, reject };
      this.#worker.postMessage({ task, parts }, task === 'pack' ? ownBuffer(parts.obtained.page.body) : []);
    });
  }

  /** Ends the thread now, also in the middle of a page; that page's reading fails with the reason. */
  async end(reason: unknown): Promise<void> {
    this.#alive = false;
    this.#finish()?.reject(reason);
    await this.#worker.terminate();
  }

  #settle(answer: Answer<never>): void {
    const reading = this.#finish();
    try {
      reading?.resolve(fromAnswer(answer));
    } catch (error) {
      reading?.reject(error);
    }
  }

  #finish(): Reading | undefined {
    const reading = this.#reading;
    this.#reading = undefined;
    this.#worker.unref();
    return reading;
  }
}

function ownBuffer({ byteLength, buffer }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
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
