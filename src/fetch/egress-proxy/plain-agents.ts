import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Exit } from './exit.ts';

/** With this many connections open, further ones are closed after their request. */
const OPEN_KEPT = 64;
/** Shorter than most servers keep a connection (Apache: 5 s). */
const IDLE_MS = 4_000;
/** As browsers have to one host. */
const PER_ORIGIN = 6;

/** Connections for plain requests, past the exit. No other context uses them. */
export class PlainAgents {
  /** Keeps connections for further requests. */
  readonly kept: Agent;
  /** Opens a connection for each request. */
  readonly once: Agent;

  constructor(exit: Exit) {
    this.kept = new ExitAgent(exit, { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: PER_ORIGIN });
    this.once = new ExitAgent(exit, { keepAlive: false });
  }

  destroy(): void {
    this.kept.destroy();
    this.once.destroy();
  }
}

class ExitAgent extends Agent {
  readonly #exit: Exit;

  constructor(exit: Exit, options: AgentOptions) {
    super(options);
    this.#exit = exit;
  }

  override createConnection(
    { host, port }: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const name = host?.includes(':') ? `[${host}]` : host;
    this.#exit.openPlain(new URL(`http://${name}:${port}`)).then(
      (socket) => callback?.(null, socket),
      // Its type asks for a stream even then.
      (error: Error) => callback?.(error, new Socket()),
    );
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // The base class returns whether the server keeps it, which its type does not say.
    const isKept: unknown = super.keepSocketAlive(socket);
    return isKept === true && this.#exit.open < OPEN_KEPT;
  }
}
