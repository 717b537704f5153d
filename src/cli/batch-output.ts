import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScrapedDocument } from '../scrape/document.ts';
import { printable } from './scrape-once.ts';

/** Where the pages of a batch go. */
export interface BatchOutput extends AsyncDisposable {
  /** @param document as JSON text */
  write(document: string): Promise<void>;
}

/** Standard output or a file for JSON lines, or a folder for a file of each page. */
export async function openOutput(path: string | undefined): Promise<BatchOutput> {
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
