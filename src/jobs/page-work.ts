import type { TrawlError } from '../errors.ts';
import type { Charge } from '../store/operations/charges.ts';
import type { NewPage } from '../store/operations/jobs/add-pages.ts';

/** A page as whoever works on it sees it. */
export interface JobPage {
  /** Of this try of the page. */
  scrapeId: string;
  key: string;
  url: string;
  depth: number;
  /** Milliseconds between two pages of its host, as far as known when it was claimed. */
  hostDelay: number;
  job: PageJob;
}

/** The job that a page belongs to. */
export interface PageJob {
  id: string;
  teamId: string;
  keyId: string | null;
  pageCredits: number;
  /** JSON, as its capability wrote it. */
  options: string;
}

/** What came of a page. Whatever else happens is thrown: a failure of the target as a TrawlError. */
export type PageOutcome =
  | { type: 'done'; document: string; charge: Charge | null; found: readonly NewPage[] }
  /** It failed for good, and costs something all the same. */
  | { type: 'failed'; error: TrawlError; charge: Charge }
  /** robots.txt keeps it out. */
  | { type: 'blocked' }
  /** The host wants this many milliseconds between two pages: they go back, and come at that pace. */
  | { type: 'slow down'; delay: number };

/** Does the work on pages of one kind of job, until the signal is aborted. */
export type RunPage = (page: JobPage, signal: AbortSignal) => Promise<PageOutcome>;
