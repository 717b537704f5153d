import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { ResolveName } from '../egress/egress-guard.ts';

export interface DnsServer extends AsyncDisposable {
  /** `host:port`. */
  address: string;
  /** Resolves names with this server. */
  resolve: ResolveName;
  /** The names whose IPv4 addresses were queried, in order. */
  asked: string[];
}

const A = 1;

/**
 * A name server (RFC 1035) on loopback.
 *
 * @param answers the IPv4 addresses of a name, asked anew for each query; undefined: no such name
 * @param options `knowsIpv6`: of IPv6 it says that there is none, instead of nothing
 */
export async function serveDns(
  answers: (name: string) => readonly string[] | undefined,
  { knowsIpv6 = true }: { knowsIpv6?: boolean } = {},
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    if (type === A) asked.push(name);
    else if (!knowsIpv6) return;
    const addresses = type === A ? answers(name) : [];
    socket.send(reply(query.subarray(0, end), addresses), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  const address = `127.0.0.1:${socket.address().port}`;
  resolver.setServers([address]);
  return {
    address,
    asked,
    async resolve(name) {
      const addresses = await resolver.resolve4(name);
      return addresses.map((address) => ({ address, family: 4 }));
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function reply(question: Buffer, addresses: readonly string[] | undefined): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(addresses === undefined ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(addresses?.length ?? 0, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = (addresses ?? []).map((address) =>
    // The name by reference to the question, type A, class IN, no caching, four bytes.
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
