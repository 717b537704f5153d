import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScrapedDocument } from '../scrape/document.ts';
import { printable } from './scrape-once.ts';

/** Where the pages of a job go. */
export interface PageOutput extends AsyncDisposable {
  /** @param document as JSON text */
  write(document: string): Promise<void>;
}

/** Standard output or a file for JSON lines, one Markdown file for all pages, or a folder for a file of each page. */
export async function openOutput(path: string | undefined): Promise<PageOutput> {
  if (path === undefined) {
    return {
      write: async (document) => {
        process.stdout.write(`${document}\n`);
      },
      async [Symbol.asyncDispose]() {},
    };
  }
  if (path.endsWith('.jsonl')) {
    const file = await open(path, 'w');
    return {
      write: async (document) => {
        await file.write(`${document}\n`);
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  }
  if (path.endsWith('.md')) return openMarkdown(path);
  await mkdir(path, { recursive: true });
  let count = 0;
  return {
    async write(text) {
      const document: ScrapedDocument = JSON.parse(text);
      count += 1;
      await writeFile(join(path, fileName(count, document)), `${printable(document)}\n`);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** All pages one after the other, each under its address. */
async function openMarkdown(path: string): Promise<PageOutput> {
  const file = await open(path, 'w');
  return {
    async write(text) {
      const document: ScrapedDocument = JSON.parse(text);
      await file.write(`<!-- ${document.metadata.url.replaceAll('--', '%2D%2D')} -->\n\n${printable(document)}\n\n`);
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** The number keeps apart what is called the same; 100 characters of the address are enough to know it by. */
function fileName(number: number, { metadata, warning: _warning, ...formats }: ScrapedDocument): string {
  const name = metadata.sourceURL.replace(/^https?:\/\//i, '').replaceAll(/[^\w.-]+/g, '-');
  const [only, ...others] = Object.keys(formats);
  const extension = others.length > 0 ? 'json' : (EXTENSIONS[only ?? ''] ?? 'json');
  return `${String(number).padStart(5, '0')}-${name.slice(0, 100).replace(/[-.]+$/, '')}.${extension}`;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  markdown: 'md',
  html: 'html',
  rawHtml: 'html',
  links: 'txt',
  images: 'txt',
};
