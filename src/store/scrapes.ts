import { now } from '../clock.ts';
import { compress, decompress } from './compression.ts';
import type { Runner } from './database.ts';
import { getScrape, recordScrape, type ScrapeRecord, type ScrapeResultRow } from './operations/scrapes.ts';
import { untilKnown } from './store-away.ts';

/** What is recorded of a scrape. Null is what zero data retention keeps out, and what the caller did not say. */
export interface NewScrape extends Omit<ScrapeRecord, 'options' | 'document'> {
  options: object | null;
  /** The answer as JSON text. */
  document: string | null;
}

export interface ScrapeResult extends Omit<ScrapeResultRow, 'document'> {
  /** The answer as JSON text, as it was given. Null when the scrape failed or nothing of it may be kept. */
  document: string | null;
}

/** Records a scrape that has ended, its line in the activity log and its charge: all or nothing. */
export async function addScrape(runner: Runner, scrape: NewScrape): Promise<void> {
  const { options, document, ...rest } = scrape;
  const record = {
    ...rest,
    options: options && JSON.stringify(options),
    document: document === null ? null : await compress(document),
  };
  // Or it would be charged, and its answer a failure.
  await untilKnown(() => runner.write(recordScrape, record));
}

/** A scrape of the team that can still be read, or null. */
export async function getScrapeResult(runner: Runner, teamId: string, id: string): Promise<ScrapeResult | null> {
  const row = await runner.read(getScrape, { teamId, id, at: now() });
  if (row === null) return null;
  const { document, ...rest } = row;
  return { ...rest, document: document && new TextDecoder().decode(await decompress(document)) };
}
