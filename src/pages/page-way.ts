import type { Deadline } from '../deadline.ts';
import { type Cost, creditsOf, type Prices } from '../team/prices.ts';
import { enrichPage } from './enrich-page.ts';
import type { DocumentParts } from './make-document.ts';
import { type ObtainedPage, obtainDocument, type PageOrigin, type RecalledPage } from './obtain-page.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';
import { type ReadPage, readPage } from './read-page.ts';
import { recallPage } from './recall-page.ts';
import type { ScrapeRequest } from './request.ts';
import type { ArtifactStore, PageStages } from './stages.ts';

/** What a page meets on its way, whoever wants it. */
export interface PageWay extends PageOrigin {
  /** The id of the team. */
  share: string;
  stages: PageStages;
  /** Undefined where no stage makes any. */
  artifacts?: ArtifactStore | undefined;
  /** Where the caller reached the service: artifacts have their addresses there. Undefined where the settings have to say. */
  publicAddress?: string | undefined;
}

/** What is known of a page before it sets out. */
export interface PageStart {
  request: ScrapeRequest;
  scrapeId: string;
  /** What it costs whatever is on it. */
  costs: readonly Cost[];
  /** What stages add is charged by these. */
  prices: Prices;
}

/** How a page is read and packed: an answer is made in another way than a page of a job. */
export interface Packing<Packed> {
  /** Resolves when a document from the cache may be taken up in the thread that serves. */
  turn(share: string): Promise<void>;
  read: MakeDocument;
  /** Reads and packs in one go a page that nothing else is asked of. Without it each page is read first, and then packed. */
  atOnce?(parts: DocumentParts, costs: readonly Cost[], signal: AbortSignal): Promise<Packed>;
  pack(page: MadePage): Promise<Packed>;
}

/** A page that is read and enriched. */
export interface MadePage extends Omit<ReadPage, 'artifacts'> {
  /** The address that answered, after redirects. */
  url: string;
  /** What the site answered. */
  status: number;
  /** The document was in the cache. */
  isRecalled: boolean;
}

/**
 * The way of a page: it is obtained, read, enriched and packed. A document that is in the cache is taken as it is, and
 * nothing is read. Throws TrawlError.
 */
export async function goPageWay<Packed>(
  way: PageWay,
  packing: Packing<Packed>,
  start: PageStart,
  deadline: Deadline,
): Promise<Packed> {
  const { share, stages } = way;
  const { request, scrapeId, prices } = start;
  const context = { request, deadline, share, scrapeId, prices };
  const { costs = [], artifacts = [], ...obtained } = await obtainDocument(way, stages.obtain, context);
  const hasExtras = costs.length > 0 || artifacts.length > 0;
  if (packing.atOnce !== undefined && !hasExtras && isPlain(obtained, stages, request)) {
    const told = { id: scrapeId, credits: creditsOf(start.costs) };
    return packing.atOnce({ obtained, request, told }, start.costs, deadline.signal);
  }
  const isRecalled = 'known' in obtained;
  if (isRecalled) await packing.turn(share);
  const read = isRecalled
    ? await recallPage(obtained, context)
    : await readPage(way, packing.read, obtained, { costs, artifacts }, context);
  deadline.check();
  const made = await enrichPage(way, read, context);
  const all = [...start.costs, ...made.costs];
  made.document.metadata.creditsUsed = creditsOf(all);
  const { url, status } = obtained.page;
  return packing.pack({ ...made, costs: all, url, status, isRecalled });
}

/** Whether no stage is for the page, and it has to be read. */
function isPlain(
  obtained: ObtainedPage | RecalledPage,
  { read, enrich }: PageStages,
  request: ScrapeRequest,
): obtained is ObtainedPage {
  if ('known' in obtained) return false;
  return !read.some((stage) => stage.isFor(obtained, request)) && !enrich.some((stage) => stage.isFor(request));
}
