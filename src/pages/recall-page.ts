import { utf8Text } from '../fetch/body/utf8.ts';
import { type Compressed, decompress } from '../store/compression.ts';
import { priceAgain } from '../team/prices.ts';
import type { RecalledPage } from './obtain-page.ts';
import type { ReadPage } from './read-page.ts';
import { factsOf, warningsOf } from './scrape-facts.ts';
import type { StageContext } from './stages.ts';

/** A document from the cache, told of this scrape instead of the one that it was made for. */
export async function recallPage(
  { known, ...source }: RecalledPage,
  { request, scrapeId, prices }: StageContext,
): Promise<ReadPage> {
  const { warning: _old, metadata, ...formats } = JSON.parse(await textOf(known.document));
  return {
    document: {
      ...formats,
      // The credits are told when all is done.
      metadata: { ...metadata, ...factsOf(source, request, { id: scrapeId, credits: 0 }) },
      ...warningsOf(source, request, known.warning ?? undefined),
    },
    leads: known.leads === null ? undefined : JSON.parse(await textOf(known.leads)),
    costs: known.costs === null ? [] : priceAgain(prices, JSON.parse(known.costs)),
    artifacts: [],
    cached: null,
  };
}

async function textOf(bytes: Compressed): Promise<string> {
  return utf8Text(await decompress(bytes));
}
