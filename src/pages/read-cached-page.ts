import { utf8Text } from '../fetch/body/utf8.ts';
import { type Compressed, decompress } from '../store/compression.ts';
import { priceAgain } from '../team/prices.ts';
import type { CachedPage } from './obtain-page.ts';
import type { ReadPage } from './read-page.ts';
import { factsOf, warningsOf } from './scrape-facts.ts';
import type { StageContext } from './stages.ts';

/** Takes a document from the cache, and replaces the facts about the scrape it was made for with those of this one. */
export async function readCachedPage(
  { known, ...source }: CachedPage,
  { request, scrapeId, prices }: StageContext,
): Promise<ReadPage> {
  const {
    warning: _old,
    metadata: { steps: _steps, ...metadata },
    ...formats
  } = JSON.parse(await textOf(known.document));
  return {
    document: {
      ...formats,
      // The credits are set at the end of the pipeline.
      metadata: { ...metadata, ...factsOf(source, request, { id: scrapeId, credits: 0 }) },
      ...warningsOf(source, request, known.warning ?? undefined),
    },
    pageLinks: known.leads === null ? undefined : JSON.parse(await textOf(known.leads)),
    costs: known.costs === null ? [] : priceAgain(prices, JSON.parse(known.costs)),
    artifacts: [],
    shell: undefined,
    cached: null,
  };
}

async function textOf(bytes: Compressed): Promise<string> {
  return utf8Text(await decompress(bytes));
}
