import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The default folder of real pages, next to the checkout. */
export const DEFAULT_FOLDER = join(import.meta.dirname, '..', '..', 'shared', 'data', 'wcxb-dev');
const WANTED_BYTES = 100_000;
const COUNT = 20;

/**
 * The measured pages: those of the folder with a size closest to 100 KB, else a generated one.
 *
 * @param folder holds html/ID.html.gz
 */
export function choosePages(folder?: string): Buffer[] {
  if (folder === undefined && !existsSync(DEFAULT_FOLDER)) return [generatePage()];
  const html = join(folder ?? DEFAULT_FOLDER, 'html');
  const distance = (file: string) => Math.abs(expandedSize(join(html, file)) - WANTED_BYTES);
  return readdirSync(html)
    .filter((file) => file.endsWith('.html.gz'))
    .map((file) => ({ file, distance: distance(file) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, COUNT)
    .map(({ file }) => gunzipSync(readFileSync(join(html, file))));
}

/** The last four bytes of a gzip file hold the size of what it expands to (RFC 1952 section 2.3.1). */
function expandedSize(file: string): number {
  const descriptor = openSync(file, 'r');
  try {
    const size = Buffer.alloc(4);
    readSync(descriptor, size, 0, 4, fstatSync(descriptor).size - 4);
    return size.readUInt32LE();
  } finally {
    closeSync(descriptor);
  }
}

/** An article with the usual surroundings of a real page. */
function generatePage(): Buffer {
  const links = (count: number) =>
    Array.from({ length: count }, (_, n) => `<li><a href="/topic/${n}">Topic number ${n}</a></li>`).join('');
  const paragraph = (n: number) =>
    `<h2 id="part-${n}">Part ${n}</h2><p class="text">The <em>harbour</em> was quiet at ${n} in the morning, and the ` +
    `<a href="/boats/${n}">boats</a> lay still, one beside the other, as far as the eye could see.</p>` +
    `<figure><img src="/images/${n}.jpg" alt="Boat ${n}"><figcaption>Boat ${n}, seen from the pier</figcaption></figure>`;
  let body = '';
  for (let n = 1; body.length < WANTED_BYTES - 12_000; n++) body += paragraph(n);
  return Buffer.from(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The harbour</title>' +
      '<meta property="og:title" content="The harbour"><style>p{margin:1em}</style></head><body>' +
      `<nav><ul>${links(100)}</ul></nav><main><article><h1>The harbour</h1>${body}</article></main>` +
      `<aside><ul>${links(60)}</ul></aside><footer>All rights reserved</footer></body></html>`,
  );
}
