import type { ShellReport } from '../content/shell.ts';
import type { CachedDocument } from '../store/scrapes.ts';
import { type Cost, creditsOf } from '../team/prices.ts';
import type { ScrapedDocument } from './document.ts';
import type { ObtainedPage } from './obtain-page.ts';
import { type PageLinks, pageLinksOf, toCached } from './pack-page.ts';
import type { PagePipeline } from './page-pipeline.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';
import type { Artifact, Extras, StageContext } from './stages.ts';

/** A page that has been read. */
export interface ReadPage {
  document: ScrapedDocument;
  /** Present if the request has `discover`. */
  pageLinks: PageLinks | undefined;
  /** What it costs in addition to the price of every page. */
  costs: readonly Cost[];
  artifacts: readonly Artifact[];
  /** Of a page in HTML that was read just now. */
  shell: ShellReport | undefined;
  /** What to store in the cache; null for nothing. */
  cached: CachedDocument | null;
}

/** Whether the page can be served again from the cache: what the browser made besides it is made for each scrape. */
function isRepeatable({ artifacts, parts }: Required<Extras>): boolean {
  return artifacts.length === 0 && Object.keys(parts).length === 0;
}

/** Reads a page with the stage that applies to it, otherwise as HTML or text, and stores the page in the cache meanwhile. */
export async function readPage(
  { cache, share, stages }: PagePipeline,
  read: MakeDocument,
  obtained: ObtainedPage,
  extras: Required<Extras>,
  context: StageContext,
): Promise<ReadPage> {
  const { request, deadline } = context;
  const stage = stages.read.find((each) => each.isFor(obtained, request));
  const scrape = { id: context.scrapeId, credits: creditsOf(extras.costs) };
  // The page is stored while its content is read: neither depends on the other.
  const [page, copiedAt] = await Promise.all([
    stage?.read(obtained, context) ?? read({ obtained, request, scrape }, share, deadline.signal),
    obtained.storedAt ?? (isRepeatable(extras) ? cache?.keep(request, obtained.page) : undefined),
  ]);
  const { discovered, warning, shell, costs = [], ...more }: typeof page & Extras = page;
  const document = { ...page.document, ...extras.parts };
  const artifacts = [...extras.artifacts, ...(more.artifacts ?? [])];
  const pageLinks = discovered && pageLinksOf(discovered);
  // A document with artifacts is not cached: they expire before it would.
  const documentKey =
    copiedAt === undefined || artifacts.length > 0 ? undefined : cache?.documentKey(request, copiedAt);
  const cached = documentKey && toCached(warning ?? null, pageLinks);
  return {
    document,
    pageLinks,
    costs: [...extras.costs, ...costs],
    artifacts,
    shell,
    // A hit costs the page and the reading again, but not the work of obtaining the page.
    cached:
      documentKey && cached
        ? { ...documentKey, ...cached, costs: costs.length === 0 ? null : JSON.stringify(costs) }
        : null,
  };
}
