import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';

/** The DevTools protocol over the two pipes of `--remote-debugging-pipe`: JSON messages, each ended by a NUL. */
export class PipeTransport implements ConnectOverCDPTransport {
  readonly #toChromium: Writable;
  readonly #fromChromium: Readable;
  readonly #closed = Promise.withResolvers<void>();
  #isOpen = true;
  #parts: Buffer[] = [];
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;

  constructor(toChromium: Writable, fromChromium: Readable) {
    this.#toChromium = toChromium;
    this.#fromChromium = fromChromium;
    // A write after Chromium has died: the end of the other pipe says so.
    toChromium.on('error', () => {});
    fromChromium.on('error', () => {});
    fromChromium.on('data', (chunk: Buffer) => this.#read(chunk));
    fromChromium.once('close', () => this.close());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when it closes. The driver does not always notice: it may just be waiting for something else. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  send(message: object): void {
    if (this.#isOpen) this.#toChromium.write(`${JSON.stringify(message)}\0`);
  }

  /** Chromium ends when its pipe does. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#toChromium.destroy();
    this.#fromChromium.destroy();
    this.onclose?.();
    this.#closed.resolve();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#parts.push(chunk.subarray(start, end));
      const text =
        this.#parts.length === 1 ? chunk.toString('utf8', start, end) : Buffer.concat(this.#parts).toString();
      this.#parts = [];
      start = end + 1;
      // One message a turn: the driver expects that promises settle between two.
      setImmediate(() => this.onmessage?.(JSON.parse(text)));
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }
}
