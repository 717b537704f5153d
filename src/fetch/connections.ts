import { FairRoom } from '../fair-room.ts';

/**
 * One share alone gets half of them; the rest is for the others. The pace of a crawl on one host is limited elsewhere.
 */
export const CONNECTIONS_PER_ORIGIN = 128;

/** The running requests to each origin. */
class Connections {
  readonly #rooms = new Map<string, FairRoom>();

  /** Resolves when it is the share's turn. Throws the reason of `signal` if that comes first. */
  async enter(origin: string, share: string, signal: AbortSignal): Promise<Disposable> {
    const room = this.#rooms.get(origin) ?? new FairRoom(CONNECTIONS_PER_ORIGIN);
    this.#rooms.set(origin, room);
    const forget = () => {
      if (room.isEmpty) this.#rooms.delete(origin);
    };
    try {
      const place = await room.enter(share, 1, signal);
      // undici frees the connection in the next turn of the event loop: an earlier request would open another one.
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

/** One for this process, whatever the route. */
export const connections = new Connections();
