import { now } from '../clock.ts';
import { type Compressed, compress, decompress } from './compression.ts';
import type { Runner } from './database.ts';
import type { DocumentRow } from './operations/page-documents.ts';
import { getScrape, recordScrape, type ScrapeRecord, type ScrapeResultRow } from './operations/scrapes.ts';
import type { Sealing } from './sealing.ts';
import { untilKnown } from './store-away.ts';

/** What is recorded of a scrape. Null is what zero data retention keeps out, and what the caller did not say. */
export interface NewScrape extends Omit<ScrapeRecord, 'options' | 'document' | 'client' | 'cached'> {
  options: { formats: readonly string[] } | null;
  /** Of a call without a key, who alone may read the result; null for every other call. */
  client: string | null;
  /** The answer as JSON text. */
  document: string | null;
  /** Where the cache keeps the document, which is the answer unless it is given; null where it does not. */
  cached: CachedDocument | null;
}

export interface CachedDocument extends Omit<DocumentRow, 'document'> {
  document?: Compressed | undefined;
}

export interface ScrapeResult extends Omit<ScrapeResultRow, 'options' | 'document'> {
  /** What the document has; null when it is not known. */
  formats: readonly string[] | null;
  /** The answer as JSON text, as it was given. Null when the scrape failed or nothing of it may be kept. */
  document: string | null;
}

/** Records a scrape that has ended, its line in the activity log and its charge: all or nothing. */
export async function addScrape(runner: Runner, sealing: Sealing, scrape: NewScrape): Promise<void> {
  const { options, document, client, cached, ...rest } = scrape;
  const kept = document === null ? null : await compress(document);
  const record = {
    ...rest,
    client: client && sealing.lookup('client', client),
    options: options && JSON.stringify(options),
    document: kept,
    cached: toDocumentRow(cached, kept),
  };
  // Or it would be charged, and its answer a failure.
  await untilKnown(() => runner.write(recordScrape, record));
}

function toDocumentRow(cached: CachedDocument | null, answer: Compressed | null): DocumentRow | null {
  const document = cached?.document ?? answer;
  if (cached === null || document === null) return null;
  return { ...cached, document };
}

/** A scrape of the team, of its client if there is one, that can still be read; or null. */
export async function getScrapeResult(
  runner: Runner,
  sealing: Sealing,
  { teamId, client, id }: { teamId: string; client: string | null; id: string },
): Promise<ScrapeResult | null> {
  const row = await runner.read(getScrape, {
    teamId,
    client: client && sealing.lookup('client', client),
    id,
    at: now(),
  });
  if (row === null) return null;
  const { document, options, ...rest } = row;
  const formats = options === null ? null : (JSON.parse(options).formats ?? null);
  return { ...rest, formats, document: document && new TextDecoder().decode(await decompress(document)) };
}
