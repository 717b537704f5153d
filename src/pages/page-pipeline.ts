import type { RenderRequest } from '../browser/types.ts';
import type { Deadline } from '../deadline.ts';
import { type Cost, creditsOf, type Prices } from '../team/prices.ts';
import { enrichPage } from './enrich-page.ts';
import type { DocumentParts } from './make-document.ts';
import { type CachedPage, type ObtainedPage, obtainDocument, type PageOrigin } from './obtain-page.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';
import { readCachedPage } from './read-cached-page.ts';
import { type ReadPage, readPage } from './read-page.ts';
import type { ScrapeRequest } from './request.ts';
import type { ArtifactStore, PageStages } from './stages.ts';

/** What every page passes through, for scrapes and jobs alike. */
export interface PagePipeline extends PageOrigin {
  /** The id of the team. */
  share: string;
  stages: PageStages;
  /** Undefined if no stage makes artifacts. */
  artifacts?: ArtifactStore | undefined;
  /** Where the caller reached the service: the base of artifact addresses. If undefined, the settings must say it. */
  publicAddress?: string | undefined;
}

/** What is known of a page at the start of its pipeline. */
export interface PageStart {
  request: ScrapeRequest;
  scrapeId: string;
  /** What it costs, whatever its content. */
  costs: readonly Cost[];
  /** The prices of what stages add. */
  prices: Prices;
}

/** How a page is read and packed: an answer is made differently from a page of a job. */
export interface Packing<Packed> {
  urgency: RenderRequest['urgency'];
  /** Resolves when the main thread may handle a document from the cache. */
  turn(share: string): Promise<void>;
  read: MakeDocument;
  /** Reads and packs a page that no stage applies to, in one step. If absent, each page is read first and then packed. */
  readAndPack?(parts: DocumentParts, costs: readonly Cost[], signal: AbortSignal): Promise<Packed>;
  pack(page: MadePage): Promise<Packed>;
}

/** A page that has been read and enriched. */
export interface MadePage extends Omit<ReadPage, 'artifacts'> {
  /** The address that answered, after redirects. */
  url: string;
  /** The site's status code. */
  status: number;
  /** Whether the document was in the cache. */
  isFromCache: boolean;
}

/**
 * Obtains, reads, enriches and packs a page. If the cache has its document, that is used and nothing is read. Throws
 * TrawlError.
 */
export async function runPagePipeline<Packed>(
  pipeline: PagePipeline,
  packing: Packing<Packed>,
  start: PageStart,
  deadline: Deadline,
): Promise<Packed> {
  const { share, stages } = pipeline;
  const { request, scrapeId, prices } = start;
  const context = { request, deadline, share, urgency: packing.urgency, scrapeId, prices };
  const {
    costs = [],
    artifacts = [],
    parts = {},
    ...obtained
  } = await obtainDocument(pipeline, stages.obtain, context);
  const extras = { costs, artifacts, parts };
  const hasExtras = Object.values(extras).some((extra) => Object.keys(extra).length > 0);
  if (packing.readAndPack !== undefined && !hasExtras && isPlain(obtained, stages, request)) {
    const scrape = { id: scrapeId, credits: creditsOf(start.costs) };
    return packing.readAndPack({ obtained, request, scrape }, start.costs, deadline.signal);
  }
  const isFromCache = 'known' in obtained;
  if (isFromCache) await packing.turn(share);
  const read = isFromCache
    ? await readCachedPage(obtained, context)
    : await readPage(pipeline, packing.read, obtained, extras, context);
  deadline.check();
  const made = await enrichPage(pipeline, read, context);
  const all = [...start.costs, ...made.costs];
  made.document.metadata.creditsUsed = creditsOf(all);
  const { url, status } = obtained.page;
  return packing.pack({ ...made, costs: all, url, status, isFromCache });
}

/** Whether the page has to be read, and no stage applies to it. */
function isPlain(
  obtained: ObtainedPage | CachedPage,
  { read, enrich }: PageStages,
  request: ScrapeRequest,
): obtained is ObtainedPage {
  if ('known' in obtained) return false;
  return !read.some((stage) => stage.isFor(obtained, request)) && !enrich.some((stage) => stage.isFor(request));
}
