import { readFile, stat } from 'node:fs/promises';
import { TrawlError } from '../errors.ts';
import { parseTarget } from '../scrape/target.ts';

/** The addresses that are named: by themselves, or in files with one in each line. Throws BAD_REQUEST for what is neither. */
export async function readSources(sources: readonly string[]): Promise<string[]> {
  const urls = await Promise.all(sources.map(readSource));
  return urls.flat();
}

async function readSource(source: string): Promise<string[]> {
  const isFile = !/^https?:\/\//i.test(source) && (await stat(source).catch(() => null))?.isFile();
  if (!isFile) return [checked(source, source)];
  const lines = (await readFile(source, 'utf8')).split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const text = line.trim();
    // Lists of addresses have comments in them.
    return text === '' || text.startsWith('#') ? [] : [checked(text, `${source}, line ${index + 1}`)];
  });
}

function checked(url: string, place: string): string {
  try {
    parseTarget(url);
    return url;
  } catch (error) {
    if (!(error instanceof TrawlError)) throw error;
    throw new TrawlError('BAD_REQUEST', `${place}: ${error.message}`);
  }
}
