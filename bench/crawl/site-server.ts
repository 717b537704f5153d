/**
 * A site of real pages, served from memory in a separate process. Pages form a tree: each links to the next few, so
 * that a crawler finds all of them from the first one, and only by reading pages.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { choosePages, DEFAULT_FOLDER } from '../pages.ts';

export interface SiteReady {
  /** The first page. */
  address: string;
  /** Mean size of the served pages. */
  bytes: number;
}

/** Links from each page to pages not linked before. */
const BRANCHES = 8;
/** Larger pages would raise the mean above the 175 KB of earlier measurements. */
const MAX_BYTES = 700_000;

/** Links in the original pages lead to a site whose robots.txt disallows everything. */
const BASE = Buffer.from('<base href="http://elsewhere.example/">');

const [count = '2000', folder = DEFAULT_FOLDER] = process.argv.slice(2);
const pages = Number(count);
const sources = readSources(folder, pages);

const server = createServer((request, response) => {
  const number = request.url === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(request.url ?? '')?.[1] ?? -1);
  const source = number < pages ? sources[number % sources.length] : undefined;
  if (source === undefined) return response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
  const page = Buffer.concat([BASE, source, linksOf(request.headers.host ?? '', number)]);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length }).end(page);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const at = server.address();
  const host = `127.0.0.1:${typeof at === 'object' ? at?.port : ''}`;
  let bytes = 0;
  for (let n = 0; n < pages; n++) {
    bytes += BASE.length + (sources[n % sources.length]?.length ?? 0) + linksOf(host, n).length;
  }
  const ready: SiteReady = { address: `http://${host}/`, bytes: bytes / pages };
  process.send?.(ready);
});
process.on('disconnect', () => process.exit());

/** The links to the next pages, at the end of a page. */
function linksOf(host: string, number: number): Buffer {
  const links = Array.from({ length: BRANCHES }, (_, branch) => number * BRANCHES + branch + 1)
    .filter((next) => next < pages)
    .map((next) => `<li><a href="http://${host}/page/${next}">Page ${next}</a></li>`);
  return Buffer.from(`<nav><ul>${links.join('')}</ul></nav>`);
}

function readSources(from: string, most: number): Buffer[] {
  const html = join(from, 'html');
  if (!existsSync(html)) return choosePages();
  const found: Buffer[] = [];
  for (const file of readdirSync(html).sort()) {
    if (found.length === most) break;
    if (!file.endsWith('.html.gz')) continue;
    const page = gunzipSync(readFileSync(join(html, file)));
    if (page.length <= MAX_BYTES) found.push(page);
  }
  return found;
}
