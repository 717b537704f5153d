/**
 * Serves the pages of both teams from two origins, in a separate process: `node bench/neighbours/site.ts SLOW_ELEMENTS
 * [PAGES]`.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { choosePages } from '../pages.ts';

export interface SiteReady {
  /** Two that serve the same, without a slash at the end: what hangs on one would keep a team's other attacks from it. */
  origins: [string, string];
  /** The number of ordinary pages: `/0`, `/1` … */
  pages: number;
}

/** The number of requests for each kind of page, returned by `/asked`. */
export type Asked = Record<string, number>;

const HTML = { 'content-type': 'text/html; charset=utf-8' };
/** 3 MB that take a thread 0.2 s and more memory than an ordinary page. */
const LARGE = Buffer.from(`<title>Large</title>${`<p>${'Words of a large page. '.repeat(220)}</p>`.repeat(600)}`);
/** With 900,000 elements, which are 3.6 MB, it takes a thread some seconds. */
const SLOW = Buffer.from(`<title>Slow</title>${'<p>x'.repeat(Number(process.argv[2]))}`);
const LINKS = Array.from({ length: 50 }, (_, n) => `<a href="/linked/${n}">Page ${n}</a>`).join(' ');

const pages = choosePages(process.argv[3]);
const asked: Asked = {};

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'robots.txt': (response) => response.end('User-agent: slowbot\nCrawl-delay: 30\n'),
  asked: (response) => response.end(JSON.stringify(asked)),
  large: (response) => response.writeHead(200, HTML).end(LARGE),
  slow: (response) => response.writeHead(200, HTML).end(SLOW),
  linked: (response) => response.writeHead(200, HTML).end(`<title>Linked</title><p>Words.</p>${LINKS}`),
  hang: () => {},
  stall: (response) => {
    response.writeHead(200, { ...HTML, 'content-length': 49 * 1024 * 1024 });
    response.write(Buffer.alloc(2_500_000, 'more '));
  },
};

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    const [name = ''] = (request.url ?? '/').slice(1).split(/[/?]/);
    const page = pages[Number(name)];
    if (page !== undefined) {
      response.writeHead(200, { ...HTML, 'content-length': page.length }).end(page);
      return;
    }
    asked[name] = (asked[name] ?? 0) + 1;
    const answer = answers[name];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`;
}

const ready: SiteReady = { origins: [await listen(), await listen()], pages: pages.length };
process.send?.(ready);
process.on('disconnect', () => process.exit());
