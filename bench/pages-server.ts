/** Serves the chosen pages from memory, in a separate process so that it does not disturb the measurement. */
import { createServer } from 'node:http';
import { choosePages } from './pages.ts';

export interface PagesReady {
  /** One for each page. Append any query to get a new address. */
  addresses: string[];
  /** Mean size of the pages. */
  bytes: number;
}

const pages = choosePages(process.argv[2]);
const server = createServer((request, response) => {
  const page = pages[Number(/^\/(\d+)/.exec(request.url ?? '')?.[1])];
  if (!page) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length }).end(page);
});
// Longer than any pause between two rounds: a closed connection would cost the next request a new one.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const at = server.address();
  const port = typeof at === 'object' ? at?.port : undefined;
  const addresses = pages.map((_, n) => `http://127.0.0.1:${port}/${n}`);
  const ready: PagesReady = { addresses, bytes: pages.reduce((sum, page) => sum + page.length, 0) / pages.length };
  process.send?.(ready);
});
process.on('disconnect', () => process.exit());
