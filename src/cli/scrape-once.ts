import { writeFile } from 'node:fs/promises';
import { newId } from '../clock.ts';
import { readConfig } from '../config.ts';
import { Deadline } from '../deadline.ts';
import { answerPacking } from '../pages/answer-packing.ts';
import type { ScrapedDocument } from '../pages/document.ts';
import { type DocumentParts, makeDocument } from '../pages/make-document.ts';
import { pageCosts } from '../pages/page-costs.ts';
import { runPagePipeline } from '../pages/page-pipeline.ts';
import { pageStages } from '../service/page-stages.ts';
import { siteFetcherOptions } from '../service/site-fetcher-options.ts';
import { createSiteFetcher } from '../site/site-fetcher.ts';
import { parseTarget } from '../site/target.ts';
import { BUILT_IN_PRICES } from '../team/prices.ts';
import { artifactFilesBeside } from './artifact-files.ts';
import { withProgress } from './progress.ts';
import { readFlags } from './read-flags.ts';
import type { ScrapeFlags } from './scrape-flags.ts';

export interface PrintFlags {
  json?: true;
  output?: string;
}

/** Scrapes a page and prints it, or writes it to a file. Throws TrawlError. */
export async function scrapeOnce(url: string, flags: ScrapeFlags & PrintFlags): Promise<void> {
  parseTarget(url);
  const request = { url, ...readFlags(flags) };
  const config = readConfig(process.env);
  const fetcher = createSiteFetcher(siteFetcherOptions(config));
  // A picture alone is the output itself.
  const isPicture = request.formats.length === 1 && request.formats[0] === 'screenshot' && !flags.json;
  const artifacts = artifactFilesBeside(flags.output, isPicture);
  using deadline = new Deadline(request.timeout);
  try {
    const { document } = await withProgress(`Scraping ${url}`, () =>
      runPagePipeline(
        { fetcher, cache: undefined, share: '', stages: pageStages(config), artifacts },
        answerPacking(read),
        { request, scrapeId: newId(), costs: pageCosts(BUILT_IN_PRICES, request), prices: BUILT_IN_PRICES },
        deadline,
      ),
    );
    const text = flags.json ? JSON.stringify(document, null, 2) : printable(document);
    if (flags.output === undefined) process.stdout.write(`${text}\n`);
    else if (!isPicture) await writeFile(flags.output, `${text}\n`);
    for (const note of notes(document)) process.stderr.write(`${note}\n`);
  } finally {
    await fetcher.close();
  }
}

/** One page is read in this thread, because another one would have to start first. */
const read = async (parts: DocumentParts) => makeDocument(parts);

/**
 * One format is printed as it is: text as text, a list as lines. Several are printed together as JSON, without the
 * metadata.
 */
export function printable({ metadata: _metadata, warning: _warning, ...formats }: ScrapedDocument): string {
  const values = Object.values(formats).filter((value) => value !== undefined);
  const [only] = values;
  if (values.length > 1) return JSON.stringify(formats, null, 2);
  if (typeof only === 'string') return only;
  if (Array.isArray(only) && only.every((item) => typeof item === 'string')) return only.join('\n');
  return JSON.stringify(only ?? null, null, 2);
}

function notes({ metadata, warning }: ScrapedDocument): string[] {
  const notes =
    metadata.error === undefined ? [] : [`note: the site responded with ${metadata.statusCode} ${metadata.error}`];
  return warning === undefined ? notes : [...notes, `note: ${warning}`];
}
