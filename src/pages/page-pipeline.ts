import type { RenderRequest } from '../browser/types.ts';
import type { ShellReport } from '../content/shell.ts';
import type { Deadline } from '../deadline.ts';
import { type Cost, creditsOf, type Prices } from '../team/prices.ts';
import { enrichPage } from './enrich-page.ts';
import type { DocumentParts } from './make-document.ts';
import { type CachedPage, type ObtainedPage, obtainDocument, type PageOrigin } from './obtain-page.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';
import { readCachedPage } from './read-cached-page.ts';
import { type ReadPage, readPage } from './read-page.ts';
import type { ScrapeRequest } from './request.ts';
import type { ArtifactStore, Extras, PageStages, StageContext } from './stages.ts';
import { warningField } from './warnings.ts';

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
  /** If absent, each page is read first and then packed. */
  background?: BackgroundPacking<Packed>;
  pack(page: MadePage): Promise<Packed>;
}

/** Reads and packs a page that no stage applies to, in one step. */
export interface BackgroundPacking<Packed> {
  readAndPack(
    parts: DocumentParts,
    costs: readonly Cost[],
    signal: AbortSignal,
  ): Promise<{ packed: Packed; shell: ShellReport | undefined }>;
  /** Adds a warning to a packed page, which is then not cached. */
  addWarning(packed: Packed, warning: string): Promise<Packed>;
}

/** A page that has been read and enriched. */
export interface MadePage extends Omit<ReadPage, 'artifacts' | 'shell'> {
  /** The address that answered, after redirects. */
  url: string;
  /** The site's status code. */
  status: number;
  /** Whether the document was in the cache. */
  isFromCache: boolean;
}

/**
 * Obtains, reads, enriches and packs a page. If the cache has its document, that is used and nothing is read. A page that turns
 * out to be an empty shell is rendered and read again. Throws TrawlError.
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
  const { costs = [], artifacts = [], parts = {}, ...obtained } = await obtainDocument(pipeline, stages, context);
  const work = { pipeline, packing, start, context };
  const first = await readObtained(work, obtained, { costs, artifacts, parts });
  const { shells } = stages;
  if (shells === undefined) return first.finish();
  const rendered = await shells.renderInstead(pipeline.fetcher, { obtained, shell: first.shell }, context);
  if (rendered === undefined) return first.finish();
  if ('warning' in rendered) return first.finish(rendered.warning);
  const second = await readObtained(work, rendered, { costs: [], artifacts: [], parts: {} });
  return shells.isWorse(request, first.shell, second.shell) ? first.finish() : second.finish();
}

interface PageWork<Packed> {
  pipeline: PagePipeline;
  packing: Packing<Packed>;
  start: PageStart;
  context: StageContext;
}

/** A page that has been read, and what is left to do. */
interface Reading<Packed> {
  /** Of a page in HTML that was read just now. */
  shell: ShellReport | undefined;
  /** @param warning about a page that should have been rendered: it is not cached */
  finish(warning?: string): Promise<Packed>;
}

async function readObtained<Packed>(
  { pipeline, packing, start, context }: PageWork<Packed>,
  obtained: ObtainedPage | CachedPage,
  extras: Required<Extras>,
): Promise<Reading<Packed>> {
  const { share, stages } = pipeline;
  const { request, scrapeId } = start;
  const { deadline } = context;
  const { background } = packing;
  const hasExtras = Object.values(extras).some((extra) => Object.keys(extra).length > 0);
  if (background !== undefined && !hasExtras && isPlain(obtained, stages, request)) {
    const scrape = { id: scrapeId, credits: creditsOf(start.costs) };
    const parts = { obtained, request, scrape };
    const { packed, shell } = await background.readAndPack(parts, start.costs, deadline.signal);
    return {
      shell,
      finish: async (warning) => (warning === undefined ? packed : background.addWarning(packed, warning)),
    };
  }
  const isFromCache = 'known' in obtained;
  if (isFromCache) await packing.turn(share);
  const { shell, ...read } = isFromCache
    ? await readCachedPage(obtained, context)
    : await readPage(pipeline, packing.read, obtained, extras, context);
  deadline.check();
  return {
    shell,
    async finish(warning) {
      if (warning !== undefined) Object.assign(read.document, warningField([warning, read.document.warning]));
      const made = await enrichPage(pipeline, warning === undefined ? read : { ...read, cached: null }, context);
      const all = [...start.costs, ...made.costs];
      made.document.metadata.creditsUsed = creditsOf(all);
      const { url, status } = obtained.page;
      return packing.pack({ ...made, costs: all, url, status, isFromCache });
    },
  };
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
