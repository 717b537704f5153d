import type { Deadline } from '../deadline.ts';
import type { ScrapedPage } from './document.ts';
import type { ScrapeTold } from './make-document.ts';
import { obtainPage, type PageOrigin } from './obtain-page.ts';
import { ownTurn } from './own-turn.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';
import type { ScrapeRequest } from './request.ts';

export interface PageSources extends PageOrigin {
  /** Where pages are read: in this thread or in others. */
  read: MakeDocument;
}

/** The scrape itself, with no team and no record of it: target, cache or web, content, redaction. */
export async function scrapePage(
  { fetcher, cache, share, read }: PageSources,
  request: ScrapeRequest,
  told: ScrapeTold,
  deadline: Deadline,
): Promise<ScrapedPage> {
  const obtained = await obtainPage({ fetcher, cache, share }, request, deadline);
  await ownTurn(share);
  // Written while the content is read: the two have nothing to wait for in each other.
  const stored = obtained.storedAt === undefined ? cache?.keep(request, obtained.page) : undefined;
  const [page] = await Promise.all([read({ obtained, request, told }, share, deadline.signal), stored]);
  await ownTurn(share);
  deadline.check();
  return page;
}
