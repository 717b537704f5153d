import type { TrawlError } from '../errors.ts';
import type { Compressed } from '../store/compression.ts';
import type { Charge } from '../store/operations/charges.ts';
import type { NewPage, RefusedPage } from '../store/operations/jobs/add-pages.ts';
import type { PageAddress } from '../store/operations/jobs/complete-pages.ts';
import type { PageKind } from '../store/operations/jobs/rows.ts';
import type { CacheRow } from '../store/operations/pages.ts';

/** A page as whoever works on it sees it. */
export interface JobPage {
  /** Of this try of the page. */
  scrapeId: string;
  key: string;
  kind: PageKind;
  url: string;
  depth: number;
  /** How often its target has failed before. */
  attempts: number;
  /** Milliseconds between two pages of its host, as far as known when it was claimed: because the host was busy. */
  hostDelay: number;
  /** The same because of its robots.txt. */
  robotsDelay: number;
  job: PageJob;
}

/** The job that a page belongs to. */
export interface PageJob {
  number: number;
  id: string;
  teamId: string;
  keyId: string | null;
  pageCredits: number;
  /** JSON, as its capability wrote it. */
  options: string;
}

/** The milliseconds between two pages that a robots.txt wants of the crawlers with this name in it. */
export interface RobotsPace {
  agent: string;
  delay: number;
}

export type LearnedPace =
  | ({ type: 'robots' } & RobotsPace)
  /** A host that was busy bears this many milliseconds between two pages. */
  | { type: 'bears'; delay: number };

/** What came of a page. Whatever else happens is thrown: a failure of the target as a TrawlError. */
export type PageOutcome =
  | {
      type: 'done';
      /** As JSON. */
      document: Compressed;
      /** For the cache. */
      copy?: CacheRow | undefined;
      charge: Charge | null;
      found: readonly NewPage[];
      /** The address it turned out to have. Of a job each address gives one result. */
      address?: PageAddress;
      /** What it led to and will not be fetched. */
      refused?: readonly RefusedPage[];
      /** The host may be asked more quickly than until now. */
      pace?: LearnedPace | undefined;
    }
  /** A sitemap; what it told of was added meanwhile. */
  | { type: 'read' }
  /** It failed for good, and costs something all the same. */
  | { type: 'failed'; error: TrawlError; charge: Charge }
  /** robots.txt keeps it out. */
  | { type: 'blocked' }
  /** Its robots.txt wants a slower pace: pages go back, and come at that pace. */
  | ({ type: 'slow down' } & RobotsPace);

/** Does the work on pages of one kind of job, until the signal is aborted. */
export type RunPage = (page: JobPage, signal: AbortSignal) => Promise<PageOutcome>;
