import { FairRoom } from '../fair-room.ts';

/** One share alone gets half of them; the rest is for the others. A crawl of one host is paced elsewhere. */
export const CONNECTIONS_PER_ORIGIN = 128;

/** Requests under way to each origin. */
class Connections {
  readonly #rooms = new Map<string, FairRoom>();

  /** Resolves when it is the share's turn. Throws the reason of `signal` when that comes first. */
  async enter(origin: string, share: string, signal: AbortSignal): Promise<Disposable> {
    const room = this.#rooms.get(origin) ?? new FairRoom(CONNECTIONS_PER_ORIGIN);
    this.#rooms.set(origin, room);
    const forget = () => {
      if (room.isEmpty) this.#rooms.delete(origin);
    };
    try {
      const place = await room.enter(share, 1, signal);
      // undici frees the connection in the next turn of the event loop: whoever came before would open another one.
      return {
        [Symbol.dispose]() {
          setImmediate(() => {
            place[Symbol.dispose]();
            forget();
          });
        },
      };
    } catch (error) {
      forget();
      throw error;
    }
  }
}

/** Of this process, whatever the way out. */
export const connections = new Connections();
