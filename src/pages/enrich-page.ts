import { withPolicy } from '../site/threat-protection.ts';
import { compress } from '../store/compression.ts';
import type { CachedDocument } from '../store/scrapes.ts';
import { checkArtifactLimits } from './artifact-limits.ts';
import { MAX_DOCUMENT_LENGTH } from './document.ts';
import type { PagePipeline } from './page-pipeline.ts';
import type { ReadPage } from './read-page.ts';
import type { StageContext } from './stages.ts';

/** Runs every enrich stage that applies to the request, and stores the artifacts of all stages. */
export async function enrichPage(
  {
    fetcher,
    share,
    stages,
    artifacts: keeper,
    publicAddress,
  }: Pick<PagePipeline, 'fetcher' | 'share' | 'stages' | 'artifacts' | 'publicAddress'>,
  { artifacts: early, ...page }: Omit<ReadPage, 'shell'>,
  context: StageContext,
): Promise<Omit<ReadPage, 'artifacts' | 'shell'>> {
  const { request, deadline, scrapeId } = context;
  const enriching = stages.enrich.filter((stage) => stage.isFor(request));
  if (enriching.length === 0 && early.length === 0) return page;

  // The cache gets the document as it was read: enrich stages run for each scrape.
  const cached = page.cached && (await asRead(page.cached, JSON.stringify(page.document)));
  const costs = [...page.costs];
  const artifacts = [...early];
  let { document } = page;
  for (const stage of enriching) {
    const enriched = await stage.enrich(document, context, withPolicy(fetcher, request.threatProtection));
    deadline.check();
    document = enriched.document;
    costs.push(...(enriched.costs ?? []));
    artifacts.push(...(enriched.artifacts ?? []));
  }
  checkArtifactLimits(artifacts);
  const { zeroDataRetention } = request;
  for (const artifact of artifacts) {
    if (keeper === undefined) throw new Error('A stage made an artifact, but there is no artifact store.');
    const owner = { teamId: share, scrapeId, zeroDataRetention, publicAddress };
    artifact.addTo(document, await keeper.put(artifact, owner));
    deadline.check();
  }
  return { ...page, document, costs, cached };
}

async function asRead(cached: CachedDocument, text: string): Promise<CachedDocument | null> {
  return text.length > MAX_DOCUMENT_LENGTH ? null : { ...cached, document: await compress(text) };
}
