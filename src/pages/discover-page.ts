import { newId } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { answerPacking } from './answer-packing.ts';
import type { ScrapedPage } from './document.ts';
import { obtainPage, type PageOrigin } from './obtain-page.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';
import type { ScrapeRequest } from './request.ts';

export interface PageSources extends PageOrigin {
  /** Reads pages, in this thread or in others. */
  read: MakeDocument;
  /** The id of the team. */
  share: string;
}

/**
 * Reads a page for everything a crawler needs to know. Documents in the cache do not hold that, so the page is always
 * read. Throws TrawlError.
 */
export async function discoverPage(
  { read, share, ...origin }: PageSources,
  request: ScrapeRequest,
  deadline: Deadline,
): Promise<ScrapedPage> {
  const obtained = await obtainPage(origin, { request, deadline, share });
  const scrape = { id: newId(), credits: 0 };
  const [page] = await Promise.all([
    answerPacking(read).read({ obtained, request, scrape }, share, deadline.signal),
    obtained.storedAt === undefined ? origin.cache?.keep(request, obtained.page) : undefined,
  ]);
  deadline.check();
  return page;
}
