import type { RenderRequest } from '../browser/types.ts';
import type { Deadline } from '../deadline.ts';
import type { SiteFetcher } from '../site/site-fetcher.ts';
import type { Cost, Prices } from '../team/prices.ts';
import type { ScrapedDocument, ScrapedPage } from './document.ts';
import type { ObtainedPage } from './obtain-page.ts';
import type { ScrapeOptions, ScrapeRequest } from './request.ts';
import type { ShellPages } from './shell-pages.ts';

/** Bytes that belong to a document but are not part of it: a screenshot, a PDF, a file. */
export interface Artifact {
  /** Media type. */
  type: string;
  bytes: Uint8Array;
  /** How long it can be downloaded, in milliseconds. */
  keepMs: number;
  /** Writes its download address into the document. */
  addTo(document: ScrapedDocument, address: string): void;
}

/** Stores artifacts, and returns an address for each. */
export interface ArtifactStore {
  put(artifact: Artifact, owner: ArtifactOwner): Promise<string>;
}

export interface ArtifactOwner {
  teamId: string;
  scrapeId: string;
  /** Nothing of it may ever be written to a file unencrypted. */
  zeroDataRetention: boolean;
  /** Where the caller reached the service: the base of artifact addresses. If undefined, the settings must say it. */
  publicAddress: string | undefined;
}

/** What a stage returns in addition to its result. */
export interface Extras {
  costs?: readonly Cost[];
  artifacts?: readonly Artifact[];
  /** What the document gets besides what is read from the page. */
  parts?: Partial<ScrapedDocument>;
}

/** What every stage knows about the page. */
export interface StageContext {
  request: ScrapeRequest;
  deadline: Deadline;
  /** The id of the team. */
  share: string;
  /** Whether somebody waits for the answer, or the page is of a job. */
  urgency: RenderRequest['urgency'];
  scrapeId: string;
  /** The prices for this page. */
  prices: Prices;
}

interface Stage {
  /** The most it can add to the cost of such a page. These credits are reserved before any work begins. */
  maxCosts?(options: ScrapeOptions, prices: Prices): readonly Cost[];
}

/** Gets a page in another way than by fetching it. */
export interface ObtainStage extends Stage {
  isFor(options: ScrapeOptions): boolean;
  /** @param fetcher follows the threat policy of the request and, in a job, robots.txt and the pace of the site */
  obtain(fetcher: SiteFetcher, context: StageContext): Promise<Pick<ObtainedPage, 'page' | 'steps'> & Extras>;
}

/** Reads a page that is neither HTML nor text, or reads it in another way. */
export interface ReadStage extends Stage {
  isFor(obtained: ObtainedPage, options: ScrapeOptions): boolean;
  read(obtained: ObtainedPage, context: StageContext): Promise<ScrapedPage & Extras>;
}

/** Adds to a document what reading alone cannot provide. It also runs for documents from the cache. */
export interface EnrichStage extends Stage {
  isFor(options: ScrapeOptions): boolean;
  /** @param fetcher as for an obtain stage */
  enrich(
    document: ScrapedDocument,
    context: StageContext,
    fetcher: SiteFetcher,
  ): Promise<{ document: ScrapedDocument } & Extras>;
}

/**
 * Additional stages of the page pipeline. The first obtain or read stage that applies to a page replaces the built-in one; all
 * enrich stages that apply run one after the other. A page to which no stage applies takes the fast path: it is fetched, then
 * read and packed in one step.
 */
export interface PageStages {
  obtain: readonly ObtainStage[];
  read: readonly ReadStage[];
  enrich: readonly EnrichStage[];
  /** Renders pages that turn out to be empty shells. If absent, they are returned as they came. */
  shells?: ShellPages;
}

export const NO_STAGES: PageStages = { obtain: [], read: [], enrich: [] };

/** The most that the stages can add to the cost of a page. */
export function maxStageCosts(
  { obtain, read, enrich }: PageStages,
  options: ScrapeOptions,
  prices: Prices,
): readonly Cost[] {
  const stages: readonly Stage[] = [
    ...obtain.filter((stage) => stage.isFor(options)).slice(0, 1),
    // The content type of the page, and thus its read stage, is not known yet.
    ...read,
    ...enrich.filter((stage) => stage.isFor(options)),
  ];
  return stages.flatMap((stage) => stage.maxCosts?.(options, prices) ?? []);
}
