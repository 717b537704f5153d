import { open } from 'node:fs/promises';
import type { ScrapedDocument } from '../pages/document.ts';
import type { FailedTask } from '../store/operations/jobs/read-job.ts';
import { type OutputFlags, readNaming } from './output-flags.ts';
import { openFolder } from './page-folder.ts';
import { printable } from './scrape-once.ts';

/** The output of a job. */
export interface PageOutput extends AsyncDisposable {
  /** Its name; undefined for standard output. */
  place?: string;
  /** The file that lists every page, if there is one. */
  index?: string;
  /** @param text the document as JSON */
  write(text: string, document: ScrapedDocument): Promise<void>;
  /** Records a page without a document, if the output has a place for it. */
  fail?(page: FailedTask): Promise<void>;
}

/**
 * Standard output or a file of JSON lines, one Markdown file for all pages, or a folder with one file a page. Throws
 * BAD_REQUEST, also for a folder that is not empty.
 * @param urls the addresses of a list, in its order
 */
export async function openOutput(flags: OutputFlags, urls: readonly string[] | undefined): Promise<PageOutput> {
  const { output: path, force = false } = flags;
  const naming = readNaming(flags);
  if (path === undefined) {
    return {
      write: async (text) => {
        process.stdout.write(`${text}\n`);
      },
      async [Symbol.asyncDispose]() {},
    };
  }
  if (path.endsWith('.jsonl')) return openFile(path, (text) => `${text}\n`);
  if (path.endsWith('.md')) return openFile(path, toMarkdown);
  return openFolder(path, { naming, force, urls });
}

async function openFile(
  path: string,
  toText: (text: string, document: ScrapedDocument) => string,
): Promise<PageOutput> {
  const file = await open(path, 'w');
  return {
    place: path,
    async write(text, document) {
      await file.write(toText(text, document));
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** All pages one after the other, each under its address. */
function toMarkdown(_text: string, document: ScrapedDocument): string {
  return `<!-- ${document.metadata.url.replaceAll('--', '%2D%2D')} -->\n\n${printable(document)}\n\n`;
}
