import type { Deadline } from '../deadline.ts';
import type { Fetcher } from '../fetch/types.ts';
import type { Compressed } from '../store/compression.ts';
import type { PageRow } from '../store/operations/pages.ts';
import type { ScrapeTold } from './make-document.ts';
import { obtainPage } from './obtain-page.ts';
import type { Leads } from './pack-page.ts';
import type { PageCache } from './page-cache.ts';
import type { PackPage } from './page-workers/page-workers.ts';
import type { ScrapeRequest } from './request.ts';

export interface JobPageSources {
  fetcher: Fetcher;
  cache: PageCache;
  /** The id of the team. */
  share: string;
  /** Where pages are read that nobody waits for. */
  pack: PackPage;
}

/** A page of a job, ready to be stored. */
export interface ScrapedJobPage {
  /** The address that answered, after redirects. */
  url: string;
  /** What the site answered. */
  status: number;
  /** The document as JSON. */
  document: Compressed;
  /** For the cache: it is stored with the result, in one commit. */
  copy: PageRow | undefined;
  /** When `discover` was asked for. */
  leads: Leads | undefined;
}

/** The scrape of a page of a job, stored by nobody yet. Throws TrawlError. */
export async function scrapeJobPage(
  { fetcher, cache, share, pack }: JobPageSources,
  request: ScrapeRequest,
  told: ScrapeTold,
  deadline: Deadline,
): Promise<ScrapedJobPage> {
  const obtained = await obtainPage({ fetcher, cache, share }, request, deadline);
  const { page, storedAt } = obtained;
  const keep = storedAt === undefined && cache.keeps(request, page);
  const { document, copy, leads } = await pack({ obtained, request, told, keep }, share, deadline.signal);
  return {
    url: page.url,
    status: page.status,
    document,
    copy: copy && cache.row(request, page, copy),
    leads,
  };
}
