/**
 * The minimum cost of fetching a site: every page is read into memory and dropped, 32 at once, with known addresses.
 *
 * node bench/crawl/bare-loop.ts ADDRESS PAGES
 */
import { Agent, request } from 'undici';

const CONNECTIONS = 32;

const [address = '', pages = '0'] = process.argv.slice(2);
const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 });
let next = 0;

process.on('disconnect', () => process.exit());
process.send?.('ready');
await Promise.all(Array.from({ length: CONNECTIONS }, fetchOn));
process.send?.({ pages: Number(pages) });

async function fetchOn(): Promise<void> {
  while (next < Number(pages)) {
    const number = next++;
    const path = number === 0 ? '' : `page/${number}`;
    const { statusCode, body } = await request(`${address}${path}`, { dispatcher });
    if (statusCode !== 200) throw new Error(`page ${number} answered ${statusCode}`);
    await body.arrayBuffer();
  }
}
