import { newId } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { answerPacking } from './answer-packing.ts';
import type { ScrapedPage } from './document.ts';
import { type ObtainedPage, obtainPage, type PageOrigin } from './obtain-page.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';
import type { ScrapeRequest } from './request.ts';
import type { ShellPages } from './shell-pages.ts';
import { warningField } from './warnings.ts';

export interface PageSources extends PageOrigin {
  /** Reads pages, in this thread or in others. */
  read: MakeDocument;
  /** Renders a page that turns out to be an empty shell. */
  shells?: ShellPages | undefined;
  /** The id of the team. */
  share: string;
}

/**
 * Reads a page for everything a crawler needs to know. Documents in the cache do not hold that, so the page is always
 * read. Throws TrawlError.
 */
export async function discoverPage(
  { read, share, shells, ...origin }: PageSources,
  request: ScrapeRequest,
  deadline: Deadline,
): Promise<ScrapedPage> {
  const context = { request, deadline, share, urgency: 'answer' as const };
  const scrape = { id: newId(), credits: 0 };
  const readAndKeep = async (obtained: ObtainedPage) => {
    const [page] = await Promise.all([
      answerPacking(read).read({ obtained, request, scrape }, share, deadline.signal),
      obtained.storedAt === undefined ? origin.cache?.keep(request, obtained.page) : undefined,
    ]);
    deadline.check();
    return page;
  };
  const obtained = await obtainPage({ ...origin, shells }, context);
  const first = await readAndKeep(obtained);
  const rendered = await shells?.renderInstead(origin.fetcher, { obtained, shell: first.shell }, context);
  if (rendered === undefined) return first;
  if ('warning' in rendered) {
    Object.assign(first.document, warningField([rendered.warning, first.document.warning]));
    return first;
  }
  const second = await readAndKeep(rendered);
  return shells?.isWorse(request, first.shell, second.shell) ? first : second;
}
