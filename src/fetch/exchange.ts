import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { TrawlError } from '../errors.ts';
import { connections } from './connections.ts';
import { LargeBodies, type LargeBody, USUAL_BODY_BYTES } from './large-bodies.ts';
import { isRedirect } from './redirect.ts';
import type { Outgoing, Route } from './route.ts';
import { fromTransport, isDeadConnection } from './transport-error.ts';
import type { BodyPart } from './types.ts';

export type ResponseHeaders = Record<string, string | string[] | undefined>;

export interface Answer {
  status: number;
  /** Lower-case names. */
  headers: ResponseHeaders;
  /** As sent, with its content codings. */
  body: Buffer;
  /** Set when the connection ended before the body did. */
  cutShort: boolean;
  /** Set when only the beginning of the body was requested, and there was more. */
  isPart: boolean;
}

/** Sends one request and reads the response. */
export type Exchange = (route: Route, options: ExchangeOptions) => Promise<Answer>;

export interface ExchangeOptions extends Outgoing {
  /** Null: the body is not needed, and unless it is small the connection is closed. */
  maxBodyBytes: number | null;
  part?: BodyPart | undefined;
  signal: AbortSignal;
}

/** Milliseconds before each further attempt. */
const RETRY_PAUSES = [50, 250] as const;
/** A body that is not needed, as of a redirect, is read up to this size to keep the connection. */
const UNWANTED_BODY_BYTES = 16 * 1024;
/** One for this process, whatever is fetched: 64 endless pages took 1.5 GB together before there was a bound. */
export const largeBodies = new LargeBodies(256 * 1024 * 1024);

/**
 * One request. It is sent again, at most twice, when the connection broke before the first byte of a response: that
 * happens with a kept connection that the server has just closed. RFC 9110 section 9.2.2 allows this for GET; receivers
 * of a POST have to tolerate repetitions.
 * @throws TrawlError SCRAPE_*, or the reason of `signal`
 */
export async function exchange(route: Route, options: ExchangeOptions): Promise<Answer> {
  using _connection = await connections.enter(options.url.origin, options.share, options.signal);
  for (let attempt = 0; ; attempt++) {
    options.signal.throwIfAborted();
    const collector = new AnswerCollector(options);
    try {
      route.send(options, collector);
      return await collector.answer;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const pause = RETRY_PAUSES[attempt];
      if (pause === undefined || collector.started || options.signal.aborted || !isDeadConnection(error)) {
        throw fromTransport(error, { ...options, headersRead: collector.headersRead });
      }
      await pauseFor(pause, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
    }
  }
}

/**
 * Handles the events of one request. undici's own response stream takes more CPU for a page of 100 KB: 0.25 ms instead
 * of 0.15.
 */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  /** Whether any part of a response has arrived. */
  started = false;

  readonly #options: ExchangeOptions;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;
  #headers: ResponseHeaders = {};
  #isUnwanted = false;
  #isPart = false;
  #controller: Dispatcher.DispatchController | undefined;
  #memory: LargeBody | undefined;
  #failure: Error | undefined;
  #resolve: (answer: Answer) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => {
    const { part, signal } = this.#options;
    if (part !== undefined && this.#controller !== undefined && this.#size >= part.enough) {
      this.#endPart(this.#controller);
      return;
    }
    const { reason } = signal;
    this.#fail(reason instanceof Error ? reason : new Error('Cancelled', { cause: reason }));
  };

  get #maxBytes(): number {
    return this.#options.maxBodyBytes ?? 0;
  }

  get headersRead(): boolean {
    return this.#status !== 0;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Cancelled while it waited for a connection.
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStarted(): void {
    this.started = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#isUnwanted = this.#options.maxBodyBytes === null || isRedirect(status, headers);
    const length = headers['content-length'];
    if (this.#isUnwanted) {
      // Without a length the body ends with the connection, and some servers then keep it open forever.
      if (length === undefined && headers['transfer-encoding'] === undefined) this.#hangUp(controller);
    } else if (this.#options.part === undefined && Number(length) > this.#maxBytes) {
      this.#fail(tooLarge(this.#options.url, this.#maxBytes));
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#isUnwanted) {
      if (this.#size > UNWANTED_BODY_BYTES) this.#hangUp(controller);
    } else if (this.#size > this.#maxBytes) this.#fail(tooLarge(this.#options.url, this.#maxBytes));
    else {
      this.#chunks.push(chunk);
      if (this.#size > (this.#options.part?.max ?? Number.POSITIVE_INFINITY)) this.#endPart(controller);
      else if (this.#size > USUAL_BODY_BYTES) this.#reserveMemory(controller);
    }
  }

  /** Pauses reading until there is memory for more: the target has to wait too. */
  #reserveMemory(controller: Dispatcher.DispatchController): void {
    const { share, url } = this.#options;
    this.#memory ??= largeBodies.open(share, () => this.#fail(tooSlow(url)));
    // Memory is often granted while another body is being parsed, and undici does not resume from there.
    const resume = () => queueMicrotask(() => controller.resume());
    if (!this.#memory.grow(this.#size, resume)) controller.pause();
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.headersRead && this.#failure === undefined && (this.#isUnwanted || this.#size > 0)) this.#finish(true);
    else this.#fail(this.#failure ?? error);
  }

  #finish(cutShort: boolean): void {
    this.#release();
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body, cutShort, isPart: this.#isPart });
  }

  #endPart(controller: Dispatcher.DispatchController): void {
    this.#isPart = true;
    this.#hangUp(controller);
  }

  /** Enough of the response is here; the rest is not needed. */
  #hangUp(controller: Dispatcher.DispatchController): void {
    this.#finish(false);
    controller.abort(new Error('The rest of this body is not read'));
  }

  #fail(error: Error): void {
    this.#release();
    this.#failure ??= error;
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #release(): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#memory?.[Symbol.dispose]();
  }
}

export function tooSlow(url: URL): TrawlError {
  return new TrawlError(
    'SCRAPE_TIMEOUT',
    `${url.host} sent a large page at less than 10 KB a second while other pages were waiting for memory. Try again later.`,
  );
}

export function tooLarge(url: URL, maxBodyBytes: number): TrawlError {
  return new TrawlError(
    'SCRAPE_PAGE_TOO_LARGE',
    `The response of ${url.host} is larger than ${Math.floor(maxBodyBytes / 1048576)} MB. The operator can raise TRAWL_MAX_PAGE_MB.`,
  );
}
