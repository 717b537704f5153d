/** Serves generated sites in a separate process, which is not counted. The path gives the size: `/NAME-PAGES/`. */
import { createServer } from 'node:http';
import { makePage, pageNumber } from './generated-site.ts';

export interface SitesReady {
  /** Where the sites are, with a slash at the end. */
  address: string;
}

const server = createServer((request, response) => {
  const [, root, pages, path] = /^(\/\w+-(\d+)\/)(.*)$/.exec(request.url ?? '') ?? [];
  const number = path === undefined ? undefined : pageNumber(path, Number(pages));
  if (root === undefined || number === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
    return;
  }
  const page = Buffer.from(makePage(root, number, Number(pages)));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length }).end(page);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const at = server.address();
  const ready: SitesReady = { address: `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}/` };
  process.send?.(ready);
});
process.on('disconnect', () => process.exit());
