import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TrawlError } from '../../errors.ts';
import { CHECKPOINT, type WriteAnswer, type WriteRequest } from './commit-group.ts';
import { fromFailure } from './failure.ts';

/** Writes that may wait. Each belongs to a request that waits for it, so this many mean that the disk has stalled. */
const MAX_WAITING = 10_000;

const RESOURCE_LIMITS = {
  // Bodies are outside the heap. Objects on the heap are short-lived and only large in a burst: the links of 16 pages
  // take up to 64 MB, and as much again while they are written.
  maxOldGenerationSizeMb: 512,
  maxYoungGenerationSizeMb: 8,
};

interface Waiting {
  resolve(output: never): void;
  reject(error: Error): void;
}

/** The writer thread, as seen from the rest of the process. If it dies, the next write starts it again. */
export class WriterThread {
  readonly #path: string;
  #worker: Worker | undefined;
  #closed = false;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();
  #unsent: WriteRequest<unknown>[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Runs an operation of operations/writes.ts. Resolves when its commit is on disk. Bytes in the input that fill their
   * buffer are transferred to the thread instead of copied: the caller can no longer use them.
   */
  write<Output>(name: string, input: unknown): Promise<Output> {
    if (this.#closed) return Promise.reject(unavailable('The store is closed.'));
    if (this.#waiting.size >= MAX_WAITING) {
      return Promise.reject(unavailable('Too many writes wait for the disk. Try again later.'));
    }
    // Writes from one turn of the event loop are sent as one message.
    if (this.#unsent.length === 0) setImmediate(() => this.#send());
    this.#lastId += 1;
    const id = this.#lastId;
    this.#unsent.push({ id, name, input });
    return new Promise<Output>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Empties the log after all waiting writes. Resolves with false if that was not possible at the moment. */
  checkpoint(): Promise<boolean> {
    return this.write(CHECKPOINT, undefined);
  }

  /** Ends the thread after all waiting writes. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#send();
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    const exit = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await exit;
  }

  #send(): void {
    if (this.#unsent.length === 0) return;
    const requests = this.#unsent;
    this.#unsent = [];
    this.#worker ??= this.#start();
    // The process may end while the writer is idle, but never during a write.
    this.#worker.ref();
    this.#worker.postMessage(
      requests,
      requests.flatMap(({ input }) => ownBuffers(input)),
    );
  }

  #start(): Worker {
    // The published package contains JavaScript.
    const script = new URL(`./writer${extname(import.meta.filename)}`, import.meta.url);
    // Under `node --watch`, this variable makes a thread report its imports among its answers.
    const { WATCH_REPORT_DEPENDENCIES: _, ...env } = process.env;
    const worker = new Worker(script, {
      name: 'store writer',
      env,
      // Flags of the process, such as --input-type, must not apply to its threads.
      execArgv: [],
      workerData: { path: this.#path },
      resourceLimits: RESOURCE_LIMITS,
    });
    let cause: Error | undefined;
    worker.on('message', (answers: WriteAnswer<never>[]) => this.#settle(answers));
    worker.on('error', (error: Error) => {
      cause = error;
    });
    worker.on('exit', () => this.#ended(cause));
    return worker;
  }

  #settle(answers: WriteAnswer<never>[]): void {
    for (const answer of answers) {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ('failure' in answer) waiting?.reject(fromFailure(answer.failure));
      else waiting?.resolve(answer.output);
    }
    if (this.#waiting.size === 0 && !this.#closed) this.#worker?.unref();
  }

  #ended(cause: Error | undefined): void {
    this.#worker = undefined;
    if (this.#closed && this.#waiting.size === 0) return;
    process.emitWarning(`The writer thread of the store ended: ${cause?.stack ?? 'no reason given'}`, 'StoreWarning');
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#unsent = [];
    for (const { reject } of lost) {
      reject(unavailable('The store failed during a write, which may or may not have been stored.', cause));
    }
  }
}

/** The buffers in an operation's input, one level deep, that are filled by their bytes. */
function ownBuffers(input: unknown): ArrayBuffer[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.values(input).flatMap((value) => {
    if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return [];
    return value.byteLength === value.buffer.byteLength ? [value.buffer] : [];
  });
}

function unavailable(message: string, cause?: Error): TrawlError {
  return new TrawlError('STORE_UNAVAILABLE', message, cause === undefined ? {} : { cause });
}
