import { compress } from '../store/compression.ts';
import type { CachedDocument } from '../store/scrapes.ts';
import { requireRoomFor } from './artifact-limits.ts';
import { MOST_DOCUMENT } from './document.ts';
import type { PageWay } from './page-way.ts';
import type { ReadPage } from './read-page.ts';
import type { StageContext } from './stages.ts';

/** Has every stage that is for the request add to the document, and keeps the artifacts of all stages. */
export async function enrichPage(
  {
    share,
    stages,
    artifacts: keeper,
    publicAddress,
  }: Pick<PageWay, 'share' | 'stages' | 'artifacts' | 'publicAddress'>,
  { artifacts: early, ...page }: ReadPage,
  context: StageContext,
): Promise<Omit<ReadPage, 'artifacts'>> {
  const { request, deadline, scrapeId } = context;
  const enriching = stages.enrich.filter((stage) => stage.isFor(request));
  if (enriching.length === 0 && early.length === 0) return page;

  // The cache keeps what was read: what stages add is made for each scrape.
  const cached = page.cached && (await asRead(page.cached, JSON.stringify(page.document)));
  const costs = [...page.costs];
  const artifacts = [...early];
  let { document } = page;
  for (const stage of enriching) {
    const enriched = await stage.enrich(document, context);
    deadline.check();
    document = enriched.document;
    costs.push(...(enriched.costs ?? []));
    artifacts.push(...(enriched.artifacts ?? []));
  }
  requireRoomFor(artifacts);
  const { zeroDataRetention } = request;
  for (const artifact of artifacts) {
    if (keeper === undefined) throw new Error('A stage made an artifact, and nothing keeps it.');
    const owner = { teamId: share, scrapeId, zeroDataRetention, publicAddress };
    artifact.addTo(document, await keeper.put(artifact, owner));
    deadline.check();
  }
  return { ...page, document, costs, cached };
}

async function asRead(cached: CachedDocument, text: string): Promise<CachedDocument | null> {
  return text.length > MOST_DOCUMENT ? null : { ...cached, document: await compress(text) };
}
