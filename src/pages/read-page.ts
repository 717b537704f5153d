import type { CachedDocument } from '../store/scrapes.ts';
import { type Cost, creditsOf } from '../team/prices.ts';
import type { ScrapedDocument } from './document.ts';
import type { ObtainedPage } from './obtain-page.ts';
import { type Leads, leadsOf, toCached } from './pack-page.ts';
import type { PageWay } from './page-way.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';
import type { Artifact, Extras, StageContext } from './stages.ts';

/** A page that is read. */
export interface ReadPage {
  document: ScrapedDocument;
  /** When `discover` was asked for. */
  leads: Leads | undefined;
  /** Beside those of any page. */
  costs: readonly Cost[];
  artifacts: readonly Artifact[];
  /** What the cache keeps of it; null for nothing. */
  cached: CachedDocument | null;
}

/** Reads a page by the stage that is for it, else as HTML or text. Meanwhile the page goes into the cache. */
export async function readPage(
  { cache, share, stages }: PageWay,
  read: MakeDocument,
  obtained: ObtainedPage,
  extras: Required<Extras>,
  context: StageContext,
): Promise<ReadPage> {
  const { request, deadline } = context;
  const stage = stages.read.find((each) => each.isFor(obtained, request));
  const told = { id: context.scrapeId, credits: creditsOf(extras.costs) };
  // Written while the content is read: the two have nothing to wait for in each other.
  const [page, copiedAt] = await Promise.all([
    stage?.read(obtained, context) ?? read({ obtained, request, told }, share, deadline.signal),
    obtained.storedAt ?? cache?.keep(request, obtained.page),
  ]);
  const { document, discovered, warning, costs = [], ...more }: typeof page & Extras = page;
  const artifacts = [...extras.artifacts, ...(more.artifacts ?? [])];
  const leads = discovered && leadsOf(discovered);
  // Artifacts are gone before the document is: it is made anew together with them.
  const place = copiedAt === undefined || artifacts.length > 0 ? undefined : cache?.placeOf(request, copiedAt);
  const cached = place && toCached(warning ?? null, leads);
  return {
    document,
    leads,
    costs: [...extras.costs, ...costs],
    artifacts,
    // A hit costs what the page costs and what was read of it, and not again what it took to get it.
    cached: place && cached ? { ...place, ...cached, costs: costs.length === 0 ? null : JSON.stringify(costs) } : null,
  };
}
