import { connect, createServer, type Socket } from 'node:net';
import { portOf } from './site.ts';

/** A way to a database that can be cut and mended. */
export interface BreakableRelay extends AsyncDisposable {
  /** The database by this way. */
  url: string;
  /** Ends all connections, and refuses new ones. */
  cut(): void;
  mend(): void;
}

/** @param databaseUrl of a server on TCP or, with `?host=/folder`, on a local socket */
export async function startBreakableRelay(databaseUrl: string): Promise<BreakableRelay> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host');
  const port = Number(target.port || 5432);
  const sockets = new Set<Socket>();
  let isCut = false;

  const server = createServer((incoming) => {
    if (isCut) return incoming.destroy();
    const outgoing = folder === null ? connect(port, target.hostname) : connect(`${folder}/.s.PGSQL.${port}`);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(portOf(server));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
