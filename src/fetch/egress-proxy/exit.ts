import type { Socket } from 'node:net';
import { TrawlError } from '../../errors.ts';
import type { Route } from '../route.ts';
import { fromTransport } from '../transport-error.ts';
import type { ProxyRequest } from '../types.ts';
import { Refusals } from './refusals.ts';
import { Traffic } from './traffic.ts';

export interface ExitOptions extends Pick<ProxyRequest, 'admit'> {
  route: Pick<Route, 'check' | 'connect' | 'plainHttp' | 'checkAnswer'>;
  /** What may go through in both directions together. */
  maxBytes: number;
}

/**
 * The only way out of a browser context. It asks the policy of the request and the egress guard about each address,
 * counts the bytes, ends what it opened, and remembers why it refused what.
 */
export class Exit {
  readonly refusals = new Refusals();
  readonly traffic: Traffic;
  readonly #options: ExitOptions;
  readonly #sockets = new Set<Socket>();
  #isClosed = false;

  constructor(options: ExitOptions) {
    this.#options = options;
    this.traffic = new Traffic(options.maxBytes, () => this.#endSockets());
  }

  get plainHttp() {
    return this.#options.route.plainHttp;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Throws unless a plain request may go to the address. For each request: on a kept connection no other check comes. */
  async admit(url: URL): Promise<void> {
    this.traffic.check();
    this.#options.admit?.(url);
    await this.#options.route.check(url);
  }

  /** A tunnel to the host and port of the address. */
  openTunnel(url: URL): Promise<Socket> {
    this.traffic.check();
    this.#options.admit?.(url);
    return this.#keep(this.#options.route.connect(url));
  }

  /** A connection for plain requests to the origin of the address, each of which is admitted by itself. */
  openPlain(url: URL): Promise<Socket> {
    return this.#keep(this.plainHttp.connect(url));
  }

  checkAnswer(url: URL, status: number): void {
    this.#options.route.checkAnswer?.(url, status);
  }

  /** Remembers why an address could not be reached, in the words of the plain fetch. */
  refuse(url: URL, error: unknown): void {
    const cause = error instanceof Error ? error : new Error(String(error));
    const refusal = fromTransport(cause, { url, verifyTls: true, headersRead: false });
    this.refusals.add(url, refusal instanceof TrawlError ? refusal : noResponse(url, cause));
  }

  async #keep(opening: Promise<Socket>): Promise<Socket> {
    const socket = await opening;
    if (this.#isClosed) {
      socket.destroy();
      throw new Error('The browser context has ended.');
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #endSockets(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#isClosed = true;
    this.#endSockets();
  }
}

function noResponse(url: URL, cause: Error): TrawlError {
  return new TrawlError('SCRAPE_CONNECTION_ERROR', `No response from ${url.host}: ${cause.message}.`, { cause });
}
