import { now } from '../clock.ts';
import { type Compressed, compress, decompress } from './compression.ts';
import type { Documents } from './documents.ts';
import type { DocumentRow } from './operations/page-documents.ts';
import { getScrape, recordScrape, type ScrapeRecord, type ScrapeResultRow } from './operations/scrapes.ts';
import { untilKnown } from './store-away.ts';

/**
 * The record of a scrape. Null stands for values that zero data retention forbids to store or that the caller did not
 * give.
 */
export interface NewScrape extends Omit<ScrapeRecord, 'options' | 'document' | 'client' | 'cached'> {
  options: { formats: readonly string[] } | null;
  /** The client of a call without a key, who alone may read the result; null for every other call. */
  client: string | null;
  /** The response, as JSON text. */
  document: string | null;
  /** Where the document is cached. Its text is the response unless `document` is given. Null if it is not cached. */
  cached: CachedDocument | null;
}

export interface CachedDocument extends Omit<DocumentRow, 'document'> {
  document?: Compressed | undefined;
}

export interface ScrapeResult extends Omit<ScrapeResultRow, 'options' | 'document'> {
  /** The formats in the document; null if they are unknown. */
  formats: readonly string[] | null;
  /** The response as JSON text, unchanged. Null when the scrape failed or may not be stored. */
  document: string | null;
}

/** Records a finished scrape, its line in the activity log and its charge: all or nothing. */
export async function addScrape({ runner, sealing, largeResults }: Documents, scrape: NewScrape): Promise<void> {
  const { options, document, client, cached, ...rest } = scrape;
  const kept = document === null ? null : await compress(document);
  const record = {
    ...rest,
    client: client && sealing.lookup('client', client),
    options: options && JSON.stringify(options),
    document: kept && (await largeResults.put(scrape.teamId, kept)),
    cached: toDocumentRow(cached, kept),
  };
  // If the answer were lost here, the caller would get an error for a scrape that was charged.
  await untilKnown(() => runner.write(recordScrape, record));
}

function toDocumentRow(cached: CachedDocument | null, answer: Compressed | null): DocumentRow | null {
  const document = cached?.document ?? answer;
  if (cached === null || document === null) return null;
  return { ...cached, document };
}

/** A scrape of the team, and of the given client if there is one, that has not expired; null if there is none. */
export async function getScrapeResult(
  { runner, sealing, largeResults }: Documents,
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
  if (document === null) return { ...rest, formats, document };
  return { ...rest, formats, document: new TextDecoder().decode(await decompress(await largeResults.get(document))) };
}
