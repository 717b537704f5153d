import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { isoTime, now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { ScrapedDocument } from '../pages/document.ts';
import { parseTarget } from '../site/target.ts';
import { FileNames } from './file-name.ts';
import { frontMatter } from './front-matter.ts';
import type { Naming } from './output-flags.ts';
import type { PageOutput } from './page-output.ts';
import { printable } from './scrape-once.ts';

/** JSON lines: they keep what was written even when the command is killed, and both `jq` and people can read them. */
const INDEX = 'index.jsonl';
const DIGITS = 5;

const EXTENSIONS: Readonly<Record<string, string>> = {
  markdown: 'md',
  html: 'html',
  rawHtml: 'html',
  links: 'txt',
  images: 'txt',
};

export interface FolderOptions {
  naming: Naming;
  /** Write into a folder that is not empty, and overwrite files of the same name. */
  force: boolean;
  /** The addresses of a list, in its order; undefined for a crawl, which finds its pages. */
  urls: readonly string[] | undefined;
}

/** A folder with one file a page, and an index of all pages, including those that failed. */
export async function openFolder(path: string, { naming, force, urls }: FolderOptions): Promise<PageOutput> {
  await makeFolder(path);
  if (!force) await requireEmpty(path);
  const names = new FileNames();
  const numbers = new PageNumbers(urls);
  const index = await open(join(path, INDEX), 'w');
  const note = async (entry: object) => {
    await index.write(`${JSON.stringify(entry)}\n`);
  };
  return {
    place: join(path, '/'),
    index: join(path, INDEX),
    async write(_text, document) {
      const { sourceURL: url, statusCode: status, title } = document.metadata;
      const time = isoTime(now());
      const extension = extensionOf(document);
      const prefix = naming === 'order' ? `${String(numbers.take(url)).padStart(DIGITS, '0')}-` : '';
      const file = names.add(parseTarget(url).href, extension, prefix);
      const head = extension === 'md' ? `${frontMatter({ url, title, status, time })}\n` : '';
      await writeFile(join(path, file), `${head}${printable(document)}\n`);
      await note({ file, url, status, title, time });
    },
    async fail({ payload: url, blocked, code, message }) {
      await note({ file: null, url, error: blocked ? 'robots.txt forbids it' : message, code: code ?? undefined });
    },
    [Symbol.asyncDispose]: () => index.close(),
  };
}

/** The position of a page in the list; for pages found by a crawl, the order in which they finish. */
class PageNumbers {
  readonly #places: Map<string, number[]> | undefined;
  #last = 0;

  constructor(urls: readonly string[] | undefined) {
    if (urls === undefined) return;
    this.#places = new Map();
    for (const [index, url] of urls.entries()) {
      const { href } = parseTarget(url);
      const places = this.#places.get(href) ?? [];
      places.push(index + 1);
      this.#places.set(href, places);
    }
  }

  take(url: string): number {
    this.#last += 1;
    return this.#places?.get(parseTarget(url).href)?.shift() ?? this.#last;
  }
}

function extensionOf({ metadata: _metadata, warning: _warning, ...formats }: ScrapedDocument): string {
  const [only, ...others] = Object.keys(formats);
  return others.length > 0 ? 'json' : (EXTENSIONS[only ?? ''] ?? 'json');
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    throw new TrawlError('BAD_REQUEST', `${path} is a file. Give a folder, or a file that ends in .md or .jsonl.`);
  }
}

/** On a terminal the user is asked. */
async function requireEmpty(path: string): Promise<void> {
  const { length } = await readdir(path);
  if (length === 0) return;
  const files = length === 1 ? 'a file' : `${length} files`;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new TrawlError(
      'BAD_REQUEST',
      `The folder ${path} is not empty: it holds ${files}. Choose another folder, or add --force to write into it.`,
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`The folder ${path} is not empty: it holds ${files}. Write into it? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
    throw new TrawlError('REQUEST_CANCELLED', 'Nothing was written.');
  } finally {
    terminal.close();
  }
}
