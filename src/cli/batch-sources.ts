import { readFile, stat } from 'node:fs/promises';
import { parse } from 'tldts';
import { TrawlError } from '../errors.ts';
import { parseTarget } from '../site/target.ts';

/**
 * The given addresses, or those in the given files, one a line. Throws BAD_REQUEST for anything else, and when there
 * are none.
 */
export async function readSources(sources: readonly string[]): Promise<string[]> {
  const urls = (await Promise.all(sources.map(readSource))).flat();
  if (urls.length === 0) throw new TrawlError('BAD_REQUEST', `There is no address in ${sources.join(', ')}.`);
  return urls;
}

async function readSource(source: string): Promise<string[]> {
  if (/^https?:\/\//i.test(source)) return [checked(source, source)];
  const file = await stat(source).catch(() => null);
  // A folder may have the same name as the site whose pages are in it.
  if (file === null || file.isDirectory()) return [address(source, file === null ? 'file' : 'list')];
  const lines = (await readFile(source, 'utf8')).split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const text = line.trim();
    // Lists of addresses may have comments.
    return text === '' || text.startsWith('#') ? [] : [checked(text, `${source}, line ${index + 1}`)];
  });
}

/** Text without a scheme is an address when its host is under a known domain; otherwise it was meant as a file. */
function address(source: string, missing: 'file' | 'list'): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(source)) return checked(source, source);
  const url = URL.parse(`http://${source}`);
  const { isIcann, isIp } = parse(url?.hostname ?? '');
  if (/^\w/.test(source) && (isIcann === true || isIp === true)) return checked(source, source);
  const reason = missing === 'file' ? `There is no file ${source}` : `${source} is a folder, not a file with addresses`;
  throw new TrawlError('BAD_REQUEST', `${reason}. If you mean an address, put https:// in front of it.`);
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
