import type { Deadline } from '../deadline.ts';
import type { FetchedPage, Fetcher } from '../fetch/types.ts';
import type { Cost, Prices } from '../team/prices.ts';
import type { ScrapedDocument, ScrapedPage } from './document.ts';
import type { ObtainedPage } from './obtain-page.ts';
import type { ScrapeOptions, ScrapeRequest } from './request.ts';

/** Bytes that belong to a document and do not stand in it: a screenshot, a PDF, a file. */
export interface Artifact {
  /** Media type. */
  type: string;
  bytes: Uint8Array;
  /** How long it can be fetched, in milliseconds. */
  keepMs: number;
  /** Writes the address where it can be fetched into the document. */
  addTo(document: ScrapedDocument, address: string): void;
}

/** Keeps artifacts, and gives each an address. */
export interface ArtifactStore {
  put(artifact: Artifact, owner: ArtifactOwner): Promise<string>;
}

export interface ArtifactOwner {
  teamId: string;
  scrapeId: string;
  /** Nothing of it may ever be in a file in clear. */
  zeroDataRetention: boolean;
  /** What addresses begin with: where the caller reached the service. Undefined where the settings have to say. */
  publicAddress: string | undefined;
}

/** What a stage gives beside its result. */
export interface Extras {
  costs?: readonly Cost[];
  artifacts?: readonly Artifact[];
}

/** What every stage knows of the page. */
export interface StageContext {
  request: ScrapeRequest;
  deadline: Deadline;
  /** The id of the team. */
  share: string;
  scrapeId: string;
  /** The prices that this page is charged by. */
  prices: Prices;
}

interface Stage {
  /** What it adds to the costs of such a page at the most. It is set aside before anything begins. */
  most?(options: ScrapeOptions, prices: Prices): readonly Cost[];
}

/** Another way to get a page than to fetch it. */
export interface ObtainStage extends Stage {
  isFor(options: ScrapeOptions): boolean;
  /** @param fetcher the way out under the rules of the request: its threat policy, and of a job the manners towards the site */
  obtain(fetcher: Fetcher, context: StageContext): Promise<{ page: FetchedPage } & Extras>;
}

/** Reads what is neither HTML nor text, or reads it in another way. */
export interface ReadStage extends Stage {
  isFor(obtained: ObtainedPage, options: ScrapeOptions): boolean;
  read(obtained: ObtainedPage, context: StageContext): Promise<ScrapedPage & Extras>;
}

/** Adds to a document what reading alone cannot give. It runs for a document from the cache too. */
export interface EnrichStage extends Stage {
  isFor(options: ScrapeOptions): boolean;
  enrich(document: ScrapedDocument, context: StageContext): Promise<{ document: ScrapedDocument } & Extras>;
}

/**
 * The stages on the way of a page beside those that every page takes: obtain, read, enrich. Of those that obtain or read,
 * the first that is for the page does it; those that enrich run one after the other. What no stage is for goes the
 * short way: fetched, read and packed in one go.
 */
export interface PageStages {
  obtain: readonly ObtainStage[];
  read: readonly ReadStage[];
  enrich: readonly EnrichStage[];
}

export const NO_STAGES: PageStages = { obtain: [], read: [], enrich: [] };

/** What the stages add to the costs of a page at the most. */
export function mostOfStages(
  { obtain, read, enrich }: PageStages,
  options: ScrapeOptions,
  prices: Prices,
): readonly Cost[] {
  const stages: readonly Stage[] = [
    ...obtain.filter((stage) => stage.isFor(options)).slice(0, 1),
    // What a page is, and so who reads it, is not known yet.
    ...read,
    ...enrich.filter((stage) => stage.isFor(options)),
  ];
  return stages.flatMap((stage) => stage.most?.(options, prices) ?? []);
}
