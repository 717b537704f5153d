/**
 * Serves small pages on many hosts, each after a delay, in a separate process: `node bench/workers/slow-server.ts HOSTS
 * MS`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface HostsReady {
  /** The first page of each host, with a slash at the end. */
  addresses: string[];
}

const [hosts = '1', pause = '0'] = process.argv.slice(2);
const addresses = await Promise.all(Array.from({ length: Number(hosts) }, listen));
const ready: HostsReady = { addresses };
process.send?.(ready);
process.on('disconnect', () => process.exit());

/** The politeness limits treat each port as a separate host. */
async function listen(): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    await wait(Number(pause));
    const page = `<title>Page</title><main><h1>Page ${request.url}</h1><p>${'Words of a small page. '.repeat(40)}</p></main>`;
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}/`;
}
