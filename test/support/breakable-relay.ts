import { connect, createServer, type Socket } from 'node:net';
import { portOf } from './site.ts';

/** A relay to a database whose connections can be cut and restored. */
export interface BreakableRelay extends AsyncDisposable {
  /** The address of the database through the relay. */
  url: string;
  /** Ends all connections, and refuses new ones. */
  cut(): void;
  mend(): void;
  /** Connections refused so far. */
  refused(): number;
  /** From now on, every `every`th time, cuts a connection instead of passing on the acknowledgement of its commit. */
  loseCommits(every: number): void;
  /** The number of acknowledgements lost so far. */
  lostCommits(): number;
}

/** @param databaseUrl of a server on TCP or, with `?host=/folder`, on a local socket */
export async function startBreakableRelay(databaseUrl: string): Promise<BreakableRelay> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host');
  const port = Number(target.port || 5432);
  const sockets = new Set<Socket>();
  let isCut = false;
  let losesEvery = Number.POSITIVE_INFINITY;
  let commits = 0;
  let lost = 0;
  let refused = 0;

  const server = createServer((incoming) => {
    if (isCut) {
      refused += 1;
      return incoming.destroy();
    }
    const outgoing = folder === null ? connect(port, target.hostname) : connect(`${folder}/.s.PGSQL.${port}`);
    outgoing.on('data', (answer: Buffer) => {
      if (answer.includes('COMMIT\0') && ++commits % losesEvery === 0) {
        lost += 1;
        incoming.destroy();
      }
    });
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
    refused: () => refused,
    loseCommits(every) {
      losesEvery = every;
      commits = 0;
    },
    lostCommits: () => lost,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
