/**
 * Serves single-page applications, in a process of its own: an empty shell, a style sheet, two scripts, a JSON answer
 * that takes 30 ms, and twelve pictures. The address of each page ends in its number.
 *
 *   node bench/browser/app-server.ts
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** What an API takes to answer. */
const API_MS = 30;
const CARDS = 40;

const SHELL = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<link rel="stylesheet" href="/style.css"></head><body><div id="root"></div>
<script src="/library.js"></script><script src="/app.js"></script></body></html>`;

const STYLE = `body{font:16px sans-serif;margin:0}header{background:#123;color:#fff;padding:1em}
main{display:grid;grid-template-columns:repeat(4,1fr);gap:1em;padding:1em}article{border:1px solid #ccc;padding:1em}`;

/** About as much code as a small framework, most of it never called, as in a real bundle. */
const LIBRARY = Array.from(
  { length: 3_000 },
  (_, index) => `function part${index}(a,b){return a*${index}+(b?b.length:0)}`,
)
  .join('\n')
  .concat(
    '\nwindow.h=(tag,text,parent)=>{const e=document.createElement(tag);e.textContent=text;parent.append(e);return e};',
  );

const APP = `(async () => {
  const root = document.getElementById('root');
  const { title, items } = await (await fetch('/api' + location.pathname)).json();
  document.title = title;
  h('header', title, root);
  const main = h('main', '', root);
  for (const { name, text, picture } of items) {
    const card = h('article', '', main);
    h('h2', name, card);
    h('p', text, card);
    if (picture) { const image = h('img', '', card); image.src = picture; image.width = 80; }
  }
})();`;

/** One transparent pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const FILES: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  '/style.css': ['text/css', STYLE],
  '/library.js': ['text/javascript', LIBRARY],
  '/app.js': ['text/javascript', APP],
};

const server = createServer(async ({ url = '/' }, response) => {
  const [type, body] = await answer(url);
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const at = server.address();
process.send?.(`http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}/`);
process.on('disconnect', () => process.exit());

async function answer(path: string): Promise<readonly [type: string, body: string | Buffer]> {
  const file = FILES[path];
  if (file !== undefined) return file;
  if (path.startsWith('/picture/')) return ['image/png', PICTURE];
  if (!path.startsWith('/api/')) return ['text/html', SHELL];
  await wait(API_MS);
  return ['application/json', JSON.stringify(listing(path.slice('/api/'.length)))];
}

function listing(number: string) {
  const items = Array.from({ length: CARDS }, (_, index) => ({
    name: `Thing ${number}-${index}`,
    text: `What thing ${index} of page ${number} is good for, in a sentence or two. It comes in three sizes.`,
    picture: index < 12 ? `/picture/${index}.png` : undefined,
  }));
  return { title: `Shop, page ${number}`, items };
}
