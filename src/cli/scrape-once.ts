import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { newId } from '../clock.ts';
import { readConfig } from '../config.ts';
import { Deadline } from '../deadline.ts';
import { TrawlError } from '../errors.ts';
import { createFetcher } from '../fetch/fetcher.ts';
import { scrapeCredits } from '../scrape/credits.ts';
import type { ScrapedDocument } from '../scrape/document.ts';
import type { ReadDocument } from '../scrape/page-workers/page-workers.ts';
import { readDocument } from '../scrape/read-document.ts';
import { scrapePage } from '../scrape/scrape-page.ts';
import { targetUrl } from '../server/scrape-fields.ts';
import { scrapeOptionFields, toScrapeOptions } from '../server/v2/scrape-options.ts';
import { BUILT_IN_PRICES } from '../team/prices.ts';
import { withProgress } from './progress.ts';

export interface ScrapeFlags {
  format: string[];
  json?: true;
  output?: string;
  fullPage?: true;
  clean?: true;
  include: string[];
  exclude: string[];
  header: string[];
  mobile?: true;
  country?: string;
  language: string[];
  insecure?: true;
  redact?: true;
  timeout?: string;
}

/** Scrapes a page and prints it, or writes it to a file. Throws TrawlError. */
export async function scrapeOnce(url: string, flags: ScrapeFlags): Promise<void> {
  const request = readRequest(url, flags);
  const config = readConfig(process.env);
  const fetcher = createFetcher({
    allowNetworks: config.allowNetworks,
    proxy: config.proxy,
    enhancedProxy: config.enhancedProxy,
    maxBodyBytes: config.maxPageBytes,
  });
  using deadline = new Deadline(request.timeout);
  try {
    const { document } = await withProgress(`Scraping ${url}`, () =>
      scrapePage(
        { fetcher, cache: undefined, read },
        request,
        { id: newId(), credits: scrapeCredits(BUILT_IN_PRICES, request) },
        deadline,
      ),
    );
    const text = flags.json ? JSON.stringify(document, null, 2) : printable(document);
    if (flags.output === undefined) process.stdout.write(`${text}\n`);
    else await writeFile(flags.output, `${text}\n`);
    for (const note of notes(document)) process.stderr.write(`${note}\n`);
  } finally {
    await fetcher.close();
  }
}

/** One page needs no thread of its own, which would have to start first. */
const read: ReadDocument = async (source, options) => readDocument(source, options);

const cliRequest = z.strictObject({ url: targetUrl, ...scrapeOptionFields });

function readRequest(url: string, flags: ScrapeFlags) {
  const parsed = cliRequest.safeParse({
    url,
    formats: flags.format.length === 0 ? ['markdown'] : flags.format,
    onlyMainContent: !flags.fullPage,
    onlyCleanContent: flags.clean ?? false,
    includeTags: flags.include,
    excludeTags: flags.exclude,
    headers: Object.fromEntries(flags.header.map(readHeader)),
    mobile: flags.mobile ?? false,
    location: { country: flags.country, languages: flags.language },
    skipTlsVerification: flags.insecure ?? false,
    redactPII: flags.redact ?? false,
    ...(flags.timeout === undefined ? {} : { timeout: Number(flags.timeout) }),
  });
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new TrawlError('BAD_REQUEST', lines.join('\n'));
  }
  return { url, zeroDataRetention: false, ...toScrapeOptions(parsed.data) };
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new TrawlError('BAD_REQUEST', `"${line}" is not a header. Write it as "Name: value".`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

/** One format as it is: text as text, a list as lines. Several together as JSON without the metadata. */
function printable({ metadata: _metadata, warning: _warning, ...formats }: ScrapedDocument): string {
  const values = Object.values(formats).filter((value) => value !== undefined);
  const [only] = values;
  if (values.length > 1) return JSON.stringify(formats, null, 2);
  if (typeof only === 'string') return only;
  if (Array.isArray(only) && only.every((item) => typeof item === 'string')) return only.join('\n');
  return JSON.stringify(only ?? null, null, 2);
}

function notes({ metadata, warning }: ScrapedDocument): string[] {
  const notes =
    metadata.error === undefined ? [] : [`note: the site answered ${metadata.statusCode} ${metadata.error}`];
  return warning === undefined ? notes : [...notes, `note: ${warning}`];
}
